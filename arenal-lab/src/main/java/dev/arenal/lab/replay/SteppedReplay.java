package dev.arenal.lab.replay;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.replay.ChildResult.Moment;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * A replay that stops at the samples of the plan, and looks at the clock, the compilers and the
 * memory there.
 *
 * <p>The warm-up does the same as the measurement: a loop that was compiled for one long call is
 * compiled anew where it is called in four hundred steps.
 *
 * <p>The thread waits for compilers, which work in the foreground; their time is not counted. A
 * path that each round takes a few times comes to them in some round, and as the rounds are the
 * same, in the measured one of every process.
 */
final class SteppedReplay {
  private final ReplayProgram program;
  private final boolean isVerifying;
  private final ResidentMemory resident;
  private final LongSupplier compilers;
  private final long[] operations;
  private final long[] committedBytes;
  private final long[] residentBytes;
  private final long[] ownNanos;
  private long compilerMillis;

  SteppedReplay(ReplayProgram program, boolean isVerifying, ResidentMemory resident) {
    this(
        program,
        isVerifying,
        resident,
        ManagementFactory.getCompilationMXBean()::getTotalCompilationTime);
  }

  /**
   * A replay with another look at the compilers.
   *
   * @param compilers the milliseconds that they have taken until now
   */
  SteppedReplay(
      ReplayProgram program, boolean isVerifying, ResidentMemory resident, LongSupplier compilers) {
    this.program = program;
    this.isVerifying = isVerifying;
    this.resident = resident;
    this.compilers = compilers;
    this.operations = TracePlan.of(program).sampleOperations();
    this.committedBytes = new long[operations.length];
    this.residentBytes = new long[operations.length];
    this.ownNanos = new long[operations.length];
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
      long beforeMillis = compilers.getAsLong();
      long startNanos = System.nanoTime();
      driver.run(done, operations[i]);
      spentNanos += System.nanoTime() - startNanos;
      compilerMillis += compilers.getAsLong() - beforeMillis;
      done = operations[i];
      long own = spentNanos - TimeUnit.MILLISECONDS.toNanos(compilerMillis);
      ownNanos[i] = Math.max(own, i == 0 ? 0 : ownNanos[i - 1]); // milliseconds are rounded
      committedBytes[i] = allocator.committedBytes();
      residentBytes[i] = Math.max(0, resident.residentBytes() - baselineBytes);
    }
    driver.finish();
  }

  /** The time that compilers took beside that of all operations. */
  long compilerMillis() {
    return compilerMillis;
  }

  /** The figures at the samples of the plan. */
  List<Moment> moments() {
    return IntStream.range(0, operations.length)
        .mapToObj(i -> new Moment(committedBytes[i], residentBytes[i], ownNanos[i]))
        .toList();
  }
}
