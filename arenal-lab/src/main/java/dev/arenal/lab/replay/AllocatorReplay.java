package dev.arenal.lab.replay;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one allocator replayed one trace. A figure that does not exist is null.
 *
 * @param kind the allocator
 * @param library the name and version of the heap that answered, such as {@code jemalloc 5.3.0}
 * @param runCount how often it replayed the trace; 0 if it did not have to
 * @param granuleBytes the unit in which it commits
 * @param wallNanos the time of all operations, page faults included, compilers not; the median of
 *     all runs, and the other figures are of that run
 * @param nanosPerAllocation the same for each allocation of the trace
 * @param compilerMillis the time of the JVM's compilers, which that time is without; in results
 *     from before 2026-11-27 it is a part of it, and in older ones null
 * @param headerBytes what headers take of the memory at the peak
 * @param peak the first peak
 * @param valley the lowest point after it, if used ever fell
 * @param secondPeak the peak after that, if used ever rose again
 * @param end the end of the trace
 * @param timeline samples spread evenly over the operations
 */
public record AllocatorReplay(
    @JsonProperty("allocator") AllocatorKind kind,
    @Nullable String library,
    @JsonProperty("runs") int runCount,
    @Nullable Long granuleBytes,
    @Nullable Long wallNanos,
    @Nullable Double nanosPerAllocation,
    @Nullable Long compilerMillis,
    @Nullable Long headerBytes,
    Sample peak,
    @Nullable Sample valley,
    @Nullable Sample secondPeak,
    Sample end,
    @JsonFormat(shape = JsonFormat.Shape.ARRAY) List<Sample> timeline) {}
