package dev.arenal.lab.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Runs of variants that take turns: in each round every variant once, so that a slow minute of the
 * machine hits all of them alike. A variant that has failed does not run again.
 *
 * @param <V> what is run
 * @param <R> what a run shows
 */
public final class Rounds<V, R> {
  private final Map<V, List<R>> results = new LinkedHashMap<>();
  private final Map<V, String> failures = new LinkedHashMap<>();

  private Rounds() {}

  /** Runs a variant once. */
  @FunctionalInterface
  public interface Run<V, R> {
    /** The first round is number 1. */
    R run(V variant, int round) throws IOException, InterruptedException, ChildFailedException;
  }

  /**
   * Runs all of them.
   *
   * @param isDue whether a variant runs in a round, of which the first is number 1
   */
  public static <V, R> Rounds<V, R> of(
      List<V> variants, int roundCount, BiPredicate<V, Integer> isDue, Run<V, R> run)
      throws IOException, InterruptedException {
    Rounds<V, R> rounds = new Rounds<>();
    for (int round = 1; round <= roundCount; round++) {
      for (V variant : variants) {
        if (!rounds.failures.containsKey(variant) && isDue.test(variant, round)) {
          rounds.once(variant, round, run);
        }
      }
    }
    return rounds;
  }

  /** Runs each of them once. */
  public static <V, R> Rounds<V, R> once(List<V> variants, Run<V, R> run)
      throws IOException, InterruptedException {
    return of(variants, 1, (_, _) -> true, run);
  }

  private void once(V variant, int round, Run<V, R> run) throws IOException, InterruptedException {
    try {
      results.computeIfAbsent(variant, _ -> new ArrayList<>()).add(run.run(variant, round));
    } catch (ChildFailedException e) {
      failures.put(variant, String.valueOf(e.getMessage()));
    }
  }

  /** The results of a variant, in the order of its runs. */
  public List<R> of(V variant) {
    return results.getOrDefault(variant, List.of());
  }

  /** The results of all, variant by variant. */
  public List<R> all() {
    return results.values().stream().flatMap(List::stream).toList();
  }

  /** Variants that failed, each a whole message. */
  public Map<V, String> failures() {
    return failures;
  }
}
