package dev.arenal.lab.replay;

import dev.arenal.lab.replay.Phases.Phase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Committed and resident bytes by operation, from wherever they were measured.
 *
 * @param committedAt committed bytes after so many operations, or unknown
 * @param residentAt resident bytes after so many operations, or unknown
 * @param wallNanosAt the time of so many operations, or unknown
 */
record SampleSource(
    LongUnaryOperator committedAt, LongUnaryOperator residentAt, LongUnaryOperator wallNanosAt) {

  /** The figures of a child, which took them at exactly these operations. */
  static SampleSource of(long[] operations, ChildResult result) throws IOException {
    if (operations.length != result.moments().size()) {
      throw new IOException(
          "the trace changed while it was replayed: sampleCount=%d (expected %d)"
              .formatted(result.moments().size(), operations.length));
    }
    return new SampleSource(
        operation -> moment(operations, result, operation).committedBytes(),
        operation -> moment(operations, result, operation).residentBytes(),
        operation -> moment(operations, result, operation).wallNanos());
  }

  private static ChildResult.Moment moment(long[] operations, ChildResult result, long operation) {
    return result.moments().get(Arrays.binarySearch(operations, operation));
  }

  Sample at(Phase phase) {
    return at(phase.operation(), phase.usedBytes());
  }

  @Nullable Sample atNullable(@Nullable Phase phase) {
    return phase == null ? null : at(phase);
  }

  List<Sample> timeline(TracePlan plan) {
    List<Sample> timeline = new ArrayList<>();
    for (int i = 0; i < plan.timelinePointCount(); i++) {
      timeline.add(at(plan.timelineOperation(i), plan.timelineUsedBytes(i)));
    }
    return timeline;
  }

  private Sample at(long operation, long usedBytes) {
    return new Sample(
        operation,
        usedBytes,
        nullable(committedAt.applyAsLong(operation)),
        nullable(residentAt.applyAsLong(operation)),
        nullable(wallNanosAt.applyAsLong(operation)));
  }

  static @Nullable Long nullable(long figure) {
    return figure == ReplayAllocator.UNKNOWN ? null : figure;
  }
}
