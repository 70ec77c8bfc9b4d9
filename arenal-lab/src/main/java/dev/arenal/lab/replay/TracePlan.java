package dev.arenal.lab.replay;

import dev.arenal.lab.replay.Phases.Phase;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The part of a trace's replay that is fixed before any allocator has run: its phases, and the
 * operations after which committed and resident bytes are sampled.
 *
 * <p>Parent and child derive it from the trace on their own and get the same, so that a figure is
 * always of exactly the operation it is said to be of.
 */
final class TracePlan {
  /** Enough for a smooth line across a screen, few enough for a file that is read by people. */
  static final int COUNT_TIMELINE_STEPS = 400;

  private final Phases phases;
  private final long[] timelineOperations;
  private final long[] timelineUsedBytes;
  private final long maxUsedBytes;
  private final long maxCountBlocks;

  private TracePlan(Phases phases, long[] operations, long[] usedBytes, Maxima maxima) {
    this.phases = phases;
    this.timelineOperations = operations;
    this.timelineUsedBytes = usedBytes;
    this.maxUsedBytes = maxima.usedBytes;
    this.maxCountBlocks = maxima.countBlocks;
  }

  static TracePlan of(ReplayProgram program) {
    long countOperations = program.countOperations();
    long[] operations = evenSteps(countOperations);
    long[] usedBytes = new long[operations.length];
    PhaseDetector detector = new PhaseDetector();
    Maxima maxima = new Maxima();
    UsedCurve.walk(
        program,
        (operation, used, countBlocks) -> {
          detector.accept(operation, used, countBlocks);
          maxima.accept(used, countBlocks);
          if (operation == operations[maxima.nextPoint]) {
            usedBytes[maxima.nextPoint++] = used;
          }
        });
    return new TracePlan(detector.phases(), operations, usedBytes, maxima);
  }

  /** The moments of comparison. */
  Phases phases() {
    return phases;
  }

  int countTimelinePoints() {
    return timelineOperations.length;
  }

  /** The operation count of a point; points are spread evenly from 0 to the end of the trace. */
  long timelineOperation(int point) {
    return timelineOperations[point];
  }

  long timelineUsedBytes(int point) {
    return timelineUsedBytes[point];
  }

  /** The most bytes that are live at any time. */
  long maxUsedBytes() {
    return maxUsedBytes;
  }

  /** The most blocks that are live at any time. */
  long maxCountBlocks() {
    return maxCountBlocks;
  }

  /** All operation counts to sample at, ascending: the timeline's and the phases'. */
  long[] sampleOperations() {
    LongStream atPhases =
        Stream.of(phases.peak(), phases.valley(), phases.secondPeak(), phases.end())
            .filter(Objects::nonNull)
            .mapToLong(Phase::operation);
    return LongStream.concat(Arrays.stream(timelineOperations), atPhases)
        .sorted()
        .distinct()
        .toArray();
  }

  private static long[] evenSteps(long countOperations) {
    int countSteps = (int) Math.min(COUNT_TIMELINE_STEPS, countOperations);
    long[] steps = new long[countSteps + 1];
    for (int i = 1; i <= countSteps; i++) {
      steps[i] = Math.multiplyExact(countOperations, i) / countSteps;
    }
    return steps;
  }

  /** The figures that the one pass gathers besides the phases. */
  private static final class Maxima {
    long usedBytes;
    long countBlocks;

    /** The first timeline point not yet passed; point 0 is before the first operation. */
    int nextPoint = 1;

    void accept(long used, long blocks) {
      usedBytes = Math.max(usedBytes, used);
      countBlocks = Math.max(countBlocks, blocks);
    }
  }
}
