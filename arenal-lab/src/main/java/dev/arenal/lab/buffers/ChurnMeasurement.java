package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * The figures of a churn.
 *
 * @param plan what was asked for
 * @param results one for each allocator and number of threads, in that order
 * @param controls the harness without an allocator, for each number of threads
 * @param failures what became of the others, each a whole message
 */
@JsonIgnoreProperties(value = "failures", allowSetters = true)
public record ChurnMeasurement(
    @JsonUnwrapped ChurnPlan plan,
    List<ChurnResult> results,
    List<ChurnResult> controls,
    List<String> failures) {
  /** The result of an allocator with that many threads, if there is one. */
  public Optional<ChurnResult> find(PeerKind kind, int threadCount) {
    return results.stream()
        .filter(result -> result.kind() == kind && result.threadCount() == threadCount)
        .findFirst();
  }

  /** The results of all allocators with that many threads. */
  public List<ChurnResult> of(int threadCount) {
    return results.stream().filter(result -> result.threadCount() == threadCount).toList();
  }

  /** The harness alone with that many threads. */
  public Optional<ChurnResult> control(int threadCount) {
    return controls.stream().filter(result -> result.threadCount() == threadCount).findFirst();
  }
}
