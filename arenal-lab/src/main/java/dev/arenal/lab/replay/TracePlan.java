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
  static final int TIMELINE_STEP_COUNT = 400;

  private final Phases phases;
  private final long[] timelineOperations;
  private final long[] timelineUsedBytes;
  private final long maxUsedBytes;
  private final long mostBlocks;
  private final UsedCurve.Most most;

  private TracePlan(
      Phases phases, long[] operations, long[] usedBytes, Maxima maxima, UsedCurve.Most most) {
    this.most = most;
    this.phases = phases;
    this.timelineOperations = operations;
    this.timelineUsedBytes = usedBytes;
    this.maxUsedBytes = maxima.usedBytes;
    this.mostBlocks = maxima.blockCount;
  }

  static TracePlan of(ReplayProgram program) {
    long operationCount = program.operationCount();
    long[] operations = evenSteps(operationCount);
    long[] usedBytes = new long[operations.length];
    PhaseDetector detector = new PhaseDetector();
    Maxima maxima = new Maxima();
    UsedCurve.Most most =
        UsedCurve.walk(
            program,
            (operation, used, blockCount) -> {
              detector.accept(operation, used, blockCount);
              maxima.accept(used, blockCount);
              if (operation == operations[maxima.nextPoint]) {
                usedBytes[maxima.nextPoint++] = used;
              }
            });
    return new TracePlan(detector.phases(), operations, usedBytes, maxima, most);
  }

  /** The moments of comparison. */
  Phases phases() {
    return phases;
  }

  int timelinePointCount() {
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
  long mostBlocks() {
    return mostBlocks;
  }

  /** The most bytes of arenas that live, with those of blocks that were freed early. */
  long mostKeptBytes() {
    return most.keptBytes();
  }

  /** The most blocks of arenas that live, with those that were freed early. */
  long mostKeptBlocks() {
    return most.keptBlocks();
  }

  /** The most arenas that live at any time. */
  long mostLiveArenas() {
    return most.liveArenas();
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

  private static long[] evenSteps(long operationCount) {
    int stepCount = (int) Math.min(TIMELINE_STEP_COUNT, operationCount);
    long[] steps = new long[stepCount + 1];
    for (int i = 1; i <= stepCount; i++) {
      steps[i] = Math.multiplyExact(operationCount, i) / stepCount;
    }
    return steps;
  }

  /** The figures that the one pass gathers besides the phases. */
  private static final class Maxima {
    long usedBytes;
    long blockCount;

    /** The first timeline point not yet passed; point 0 is before the first operation. */
    int nextPoint = 1;

    void accept(long used, long blocks) {
      usedBytes = Math.max(usedBytes, used);
      blockCount = Math.max(blockCount, blocks);
    }
  }
}
