package dev.arenal.lab.medium;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The figures of all runs.
 *
 * @param plan what was to be measured
 * @param results in the order of the runs, without those that failed
 * @param failures what went wrong, each a whole message
 */
@JsonIncludeProperties("runs")
public record MediumMeasurement(
    MediumPlan plan, @JsonProperty("runs") List<MediumResult> results, List<String> failures) {
  /** The runs of one variant. */
  public List<MediumResult> of(boolean isSynchronized) {
    return results.stream().filter(result -> result.isSynchronized() == isSynchronized).toList();
  }

  /** Whether there are figures to compare. */
  public boolean hasBoth() {
    return !of(false).isEmpty() && !of(true).isEmpty();
  }

  /** The mean over the runs of a variant; not a number without any. */
  public double mean(boolean isSynchronized, ToDoubleFunction<MediumResult> figure) {
    return of(isSynchronized).stream().mapToDouble(figure).average().orElse(Double.NaN);
  }

  /** The highest of the runs of a variant; not a number without any. */
  public double max(boolean isSynchronized, ToDoubleFunction<MediumResult> figure) {
    return of(isSynchronized).stream().mapToDouble(figure).max().orElse(Double.NaN);
  }

  /** All times of a variant together. */
  public Histogram latencies(boolean isSynchronized) {
    Histogram all = Latencies.empty();
    of(isSynchronized).forEach(result -> all.add(result.latencies()));
    return all;
  }
}
