package dev.arenal.lab.replay;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.replay.ChildResult.Moment;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A replay that stops at the samples of the plan, and looks at the clock, the compilers and the
 * memory there.
 *
 * <p>The warm-up does the same as the measurement: a loop that was compiled for one long call is
 * compiled anew where it is called in four hundred steps.
 */
final class SteppedReplay {
  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  private final ReplayProgram program;
  private final boolean isVerifying;
  private final ResidentMemory resident;
  private final long[] operations;
  private final long[] committedBytes;
  private final long[] residentBytes;
  private final long[] wallNanos;
  private long compilerMillis;

  SteppedReplay(ReplayProgram program, boolean isVerifying, ResidentMemory resident) {
    this.program = program;
    this.isVerifying = isVerifying;
    this.resident = resident;
    this.operations = TracePlan.of(program).sampleOperations();
    this.committedBytes = new long[operations.length];
    this.residentBytes = new long[operations.length];
    this.wallNanos = new long[operations.length];
  }

  /** Replays once more; what was seen before is forgotten. */
  void run(ReplayAllocator allocator, long baselineBytes) {
    Measurement.Driver driver =
        isVerifying
            ? new VerifyingDriver(program, allocator)
            : new ReplayDriver(program, allocator);
    compilerMillis = 0;
    long spentNanos = 0;
    long done = 0;
    for (int i = 0; i < operations.length; i++) {
      long beforeMillis = COMPILERS.getTotalCompilationTime();
      long startNanos = System.nanoTime();
      driver.run(done, operations[i]);
      spentNanos += System.nanoTime() - startNanos;
      compilerMillis += COMPILERS.getTotalCompilationTime() - beforeMillis;
      done = operations[i];
      wallNanos[i] = spentNanos;
      committedBytes[i] = allocator.committedBytes();
      residentBytes[i] = Math.max(0, resident.residentBytes() - baselineBytes);
    }
    driver.finish();
  }

  /** The time that compilers took within that of all operations. */
  long compilerMillis() {
    return compilerMillis;
  }

  /** The figures at the samples of the plan. */
  List<Moment> moments() {
    return IntStream.range(0, operations.length)
        .mapToObj(i -> new Moment(committedBytes[i], residentBytes[i], wallNanos[i]))
        .toList();
  }
}
