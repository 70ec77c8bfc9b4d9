package dev.arenal.lab.jmh;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Optional;

/**
 * The figures of a run.
 *
 * @param <C> what was measured
 * @param results in the order of the plan, without those that failed
 * @param failures what went wrong, each a whole message
 */
@JsonIgnoreProperties(value = "failures", allowSetters = true)
public record JmhMeasurement<C extends JmhCell>(List<JmhResult<C>> results, List<String> failures) {
  /** The result of a cell. */
  public Optional<JmhResult<C>> result(C cell) {
    return results.stream().filter(result -> result.cell().equals(cell)).findFirst();
  }
}
