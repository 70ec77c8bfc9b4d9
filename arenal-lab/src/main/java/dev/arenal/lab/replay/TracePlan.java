package dev.arenal.lab.replay;

import dev.arenal.lab.replay.Phases.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The part of a trace's replay that is fixed before any allocator has run: its phases, and the
 * operations after which committed and resident bytes are sampled.
 *
 * <p>Parent and child derive it from the trace on their own and get the same, so that a figure is
 * always of exactly the operation it is said to be of.
 *
 * @param phases the moments of comparison
 * @param timeline points spread evenly from 0 to the end of the trace
 * @param most the most of everything at any time
 */
record TracePlan(Phases phases, List<Phase> timeline, UsedCurve.Most most) {
  /** Enough for a smooth line across a screen, few enough for a file that is read by people. */
  static final int TIMELINE_STEP_COUNT = 400;

  static TracePlan of(ReplayProgram program) {
    long operationCount = program.operationCount();
    long stepCount = Math.min(TIMELINE_STEP_COUNT, operationCount);
    PhaseDetector detector = new PhaseDetector();
    UsedCurve curve = new UsedCurve(program);
    List<Phase> timeline = new ArrayList<>(List.of(new Phase(0, 0, 0)));
    long nextPoint = 0;
    for (long done = 1; done <= operationCount; done++) {
      curve.apply(program.operations().get(done - 1));
      detector.accept(done, curve.usedBytes(), curve.blockCount());
      if (nextPoint < done) {
        nextPoint = Math.multiplyExact(operationCount, timeline.size()) / stepCount;
      }
      if (nextPoint == done) {
        timeline.add(new Phase(done, curve.usedBytes(), curve.blockCount()));
      }
    }
    return new TracePlan(detector.phases(), timeline, curve.most());
  }

  /** All operation counts to sample at, ascending: the timeline's and the phases'. */
  long[] sampleOperations() {
    LongStream atPhases =
        Stream.of(phases.peak(), phases.valley(), phases.secondPeak(), phases.end())
            .filter(Objects::nonNull)
            .mapToLong(Phase::operation);
    return LongStream.concat(timeline.stream().mapToLong(Phase::operation), atPhases)
        .sorted()
        .distinct()
        .toArray();
  }
}
