package dev.arenal.lab.firstuse;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * The subjects to be measured, and how often.
 *
 * @param runCount how often each subject runs
 * @param hasAotCache whether each runs as often with an AOT cache, too
 */
public record FirstUsePlan(
    @JsonProperty("runs") int runCount, @JsonProperty("aotCache") boolean hasAotCache) {
  /** Enough for a median that a busy moment does not move. */
  public static final int USUAL_RUNS = 7;

  /** Of the shortened form. */
  public static final int QUICK_RUNS = 3;

  private static final int LAB_RUNS = 5;
  private static final int LAB_QUICK_RUNS = 2;
  private static final int MOST_RUNS = 1000;

  /** Checks what a person may have got wrong. */
  public FirstUsePlan {
    Range.check("cannot run that often", "runs", runCount, 1, MOST_RUNS);
  }

  /** The part of it that {@code ./arenal lab} has time for. */
  public static FirstUsePlan lab(boolean isQuick) {
    return new FirstUsePlan(isQuick ? LAB_QUICK_RUNS : LAB_RUNS, true);
  }

  /**
   * A subject in one kind of JVM.
   *
   * @param hasAotCache whether the JVM has a cache of classes that are loaded and linked
   */
  record Variant(FirstUseSubject subject, boolean hasAotCache) {
    /** In a few words. */
    String label() {
      return subject.label() + (hasAotCache ? ", with an AOT cache" : "");
    }
  }

  /** The variants in the order in which they take turns. */
  static List<Variant> variants(boolean hasAotCache) {
    List<Variant> variants = new ArrayList<>();
    for (FirstUseSubject subject : FirstUseSubject.values()) {
      variants.add(new Variant(subject, false));
      if (hasAotCache) {
        variants.add(new Variant(subject, true));
      }
    }
    return variants;
  }
}
