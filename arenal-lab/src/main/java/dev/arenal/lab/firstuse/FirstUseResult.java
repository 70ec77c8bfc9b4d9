package dev.arenal.lab.firstuse;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Median;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all runs of a subject.
 *
 * @param subject what was used
 * @param runCount how often, without an AOT cache; at least once
 * @param medianMillis the first use itself
 * @param leastMillis the fastest run
 * @param medianProcessMillis the whole process
 * @param medianMillisWithAotCache the first use in a JVM with an AOT cache; null if there was none
 * @param leastMillisWithAotCache the fastest run of those, or null
 * @param medianProcessMillisWithAotCache the whole process of those, or null
 */
public record FirstUseResult(
    FirstUseSubject subject,
    @JsonProperty("runs") int runCount,
    double medianMillis,
    double leastMillis,
    double medianProcessMillis,
    @Nullable Double medianMillisWithAotCache,
    @Nullable Double leastMillisWithAotCache,
    @Nullable Double medianProcessMillisWithAotCache) {
  /** Of the runs without and with an AOT cache; of the latter there may be none. */
  static FirstUseResult of(
      FirstUseSubject subject, List<FirstUseSample> runs, List<FirstUseSample> withAotCache) {
    return new FirstUseResult(
        subject,
        runs.size(),
        Objects.requireNonNull(Median.of(runs, FirstUseSample::millis)),
        Objects.requireNonNull(least(runs)),
        Objects.requireNonNull(Median.of(runs, FirstUseSample::processMillis)),
        Median.of(withAotCache, FirstUseSample::millis),
        least(withAotCache),
        Median.of(withAotCache, FirstUseSample::processMillis));
  }

  private static @Nullable Double least(List<FirstUseSample> runs) {
    return runs.stream().map(FirstUseSample::millis).min(Double::compare).orElse(null);
  }

  /** The median without an AOT cache or with it; null if there is none. */
  public @Nullable Double medianMillis(boolean hasAotCache) {
    return hasAotCache ? medianMillisWithAotCache : (Double) medianMillis;
  }
}
