package dev.arenal.lab.replay;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;

/**
 * How a trace was replayed with several allocators.
 *
 * @param trace its name
 * @param jvmVersion the JVM it was recorded from
 * @param allocationCount how many blocks it allocates
 * @param arenaCount how many arenas it has
 * @param loaderCount how many loaders own them
 * @param operationCount all births, allocations, deallocations and deaths
 * @param maxUsedBytes the most that is ever live
 * @param results one for each allocator, in the order asked for, without those that failed
 * @param failures what became of those, each a whole message
 * @param notes what was left out on purpose, each a whole line
 */
@JsonIgnoreProperties(
    value = {"failures", "notes"},
    allowSetters = true)
public record TraceReplay(
    String trace,
    @JsonProperty("jvm") String jvmVersion,
    @JsonProperty("allocations") long allocationCount,
    @JsonProperty("arenas") int arenaCount,
    @JsonProperty("loaders") int loaderCount,
    @JsonProperty("operations") long operationCount,
    long maxUsedBytes,
    List<AllocatorReplay> results,
    List<String> failures,
    List<String> notes) {
  /** The most often that an allocator replayed it; 0 if none had to. */
  public int runCount() {
    return results.stream().mapToInt(AllocatorReplay::runCount).max().orElse(0);
  }

  /** The replay with an allocator, if there is one. */
  public Optional<AllocatorReplay> find(AllocatorKind kind) {
    return results.stream().filter(result -> result.kind() == kind).findFirst();
  }
}
