package dev.arenal.lab.medium;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The figures of one run.
 *
 * @param isSynchronized whether one thread at a time replaced a full medium page
 * @param plan what was to be run
 * @param seconds how long the threads allocated
 * @param allocationCount buffers of all sizes
 * @param allocated bytes of buffers
 * @param pages bytes of pages taken for them, those that were undone included
 * @param undone pages that another thread had been faster with
 * @param flushed bytes of cached memory that had to leave their place for another page
 * @param defragmented small pages that moved down
 * @param latencies nanoseconds until a medium buffer was there
 * @param timeline bytes allocated, from the start to each moment
 * @param table the allocator's statistics as it prints them
 */
public record MediumResult(
    @JsonProperty("synchronized") boolean isSynchronized,
    @JsonUnwrapped MediumPlan plan,
    @JsonProperty("elapsedSeconds") double seconds,
    @JsonProperty("allocations") long allocationCount,
    @JsonProperty("bytesPerSecond") MediumFigure allocated,
    @JsonProperty("pageBytesPerSecond") MediumFigure pages,
    @JsonProperty("undoPageAllocations") MediumFigure undone,
    @JsonProperty("pageCacheFlushBytes") MediumFigure flushed,
    @JsonProperty("defragments") MediumFigure defragmented,
    @JsonProperty("latencyNanos")
        @JsonSerialize(converter = Latencies.Writer.class)
        @JsonDeserialize(converter = Latencies.Reader.class)
        Histogram latencies,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) List<Moment> timeline,
    @JsonProperty("statistics") String table) {
  /** The variant in words. */
  public static String variant(boolean isSynchronized) {
    return isSynchronized ? "synchronized" : "unsynchronized";
  }

  /** The variant in words. */
  public String variant() {
    return variant(isSynchronized);
  }

  /**
   * A moment of a run.
   *
   * @param seconds since its start
   * @param allocatedBytes since its start
   */
  public record Moment(double seconds, long allocatedBytes) {}
}
