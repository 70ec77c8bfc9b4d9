package dev.arenal.lab.confined;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Optional;

/**
 * What a run has shown.
 *
 * @param results in the order of the plan, without those that failed
 * @param failures what went wrong, each a whole message
 */
@JsonIgnoreProperties(value = "failures", allowSetters = true)
public record ConfinedMeasurement(List<ConfinedResult> results, List<String> failures) {
  /** Keeps copies. */
  public ConfinedMeasurement {
    results = List.copyOf(results);
    failures = List.copyOf(failures);
  }

  /** The result of a cell. */
  public Optional<ConfinedResult> result(ConfinedCell cell) {
    return results.stream().filter(result -> result.cell().equals(cell)).findFirst();
  }
}
