package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Optional;

/**
 * The figures of a burst.
 *
 * @param plan what was asked for
 * @param results one for each number of threads, without and with survivors, and allocator
 * @param failures what became of the others, each a whole message
 */
@JsonIgnoreProperties(value = "failures", allowSetters = true)
public record BurstMeasurement(
    @JsonUnwrapped BurstPlan plan, List<BurstResult> results, List<String> failures) {
  /** The result of an allocator, if there is one. */
  public Optional<BurstResult> find(PeerKind kind, int threadCount, boolean hasSurvivors) {
    return of(threadCount, hasSurvivors).stream()
        .filter(result -> result.kind() == kind)
        .findFirst();
  }

  /** Ours: told to give memory back soon, or with its default where that was not measured. */
  public Optional<BurstResult> ours(int threadCount, boolean hasSurvivors) {
    return find(PeerKind.ARENAL_SHORT, threadCount, hasSurvivors)
        .or(() -> find(PeerKind.ARENAL, threadCount, hasSurvivors));
  }

  /** The results of all allocators. */
  public List<BurstResult> of(int threadCount, boolean hasSurvivors) {
    return results.stream()
        .filter(
            result -> result.threadCount() == threadCount && result.hasSurvivors() == hasSurvivors)
        .toList();
  }
}
