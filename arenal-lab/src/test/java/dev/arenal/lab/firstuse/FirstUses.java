package dev.arenal.lab.firstuse;

import java.util.ArrayList;
import java.util.List;

/** Figures of first uses made up for tests. */
public final class FirstUses {
  private FirstUses() {}

  /** Everything as claimed; Netty has failed. */
  public static FirstUseMeasurement asClaimed() {
    return measurement(30, 36, true);
  }

  /** The JDK takes 12 ms, and 4 with an AOT cache; all others a quarter of their time with one. */
  public static FirstUseMeasurement measurement(
      double elasticMillis, double pageMillis, boolean hasAotCache) {
    List<FirstUseResult> results = new ArrayList<>();
    results.add(result(FirstUseSubject.JDK_CONFINED, 12, 4, hasAotCache));
    results.add(result(FirstUseSubject.POOLED, 20, 5, hasAotCache));
    results.add(result(FirstUseSubject.ELASTIC, elasticMillis, elasticMillis / 4, hasAotCache));
    results.add(result(FirstUseSubject.PAGE, pageMillis, pageMillis / 4, hasAotCache));
    return new FirstUseMeasurement(
        new FirstUsePlan(3, hasAotCache),
        results,
        hasAotCache ? List.of() : List.of("no AOT cache: a reason"),
        List.of("first use died: subject=netty"));
  }

  private static FirstUseResult result(
      FirstUseSubject subject, double millis, double cachedMillis, boolean hasAotCache) {
    return FirstUseResult.of(
        subject, samples(millis), hasAotCache ? samples(cachedMillis) : List.of());
  }

  /** The median is the one in the middle. */
  private static List<FirstUseSample> samples(double millis) {
    return List.of(
        new FirstUseSample(millis, millis + 100),
        new FirstUseSample(2 * millis, 2 * millis + 100),
        new FirstUseSample(millis - 1, millis + 99));
  }
}
