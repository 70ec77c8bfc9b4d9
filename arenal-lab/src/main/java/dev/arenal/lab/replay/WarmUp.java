package dev.arenal.lab.replay;

import dev.arenal.lab.heap.ResidentMemory;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/**
 * The rounds before the measured replay: until the compilers, which work in the foreground, have
 * had nothing of weight to do for a whole round.
 *
 * <p>An allocator in Java has paths that are taken once in a thousand allocations. Compiled during
 * the measured replay, they would cost it time, and the compiler's memory, some MiB, would count as
 * its own.
 */
final class WarmUp {
  private static final int LEAST_ROUNDS = 2;
  private static final int MOST_ROUNDS = 6;
  private static final long QUIET_MILLIS = 25;

  /** The whole trace, unless it is a giant. */
  private static final long COUNT_ALLOCATIONS = 8_000_000;

  /** Each operation of malloc and of the JDK takes the same few paths: a small part shows all. */
  private static final long COUNT_ALLOCATIONS_FEW_PATHS = 500_000;

  private static final int COUNT_SAMPLES = 500;

  private final AllocatorKind kind;
  private final ReplayProgram program;
  private final CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();

  WarmUp(AllocatorKind kind, ReplayProgram program) {
    this.kind = kind;
    this.program =
        ThinnedProgram.of(
            program, kind.isElastic() ? COUNT_ALLOCATIONS : COUNT_ALLOCATIONS_FEW_PATHS);
  }

  void run(Measurement.DriverFactory drivers, ResidentMemory resident) {
    boolean isQuiet = false;
    for (int round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && !isQuiet); round++) {
      long beforeMillis = compilers.getTotalCompilationTime();
      runOnce(drivers, resident);
      isQuiet = compilers.getTotalCompilationTime() - beforeMillis < QUIET_MILLIS;
    }
  }

  private void runOnce(Measurement.DriverFactory drivers, ResidentMemory resident) {
    try (ReplayAllocator allocator = ReplayAllocators.open(kind, program)) {
      // Looking is to be warm too; now, while malloc has no free blocks to count.
      for (int i = 0; i < COUNT_SAMPLES; i++) {
        long _ = allocator.committedBytes() + resident.residentBytes();
      }
      Measurement.Driver driver = drivers.open(program, allocator);
      driver.run(0, program.countOperations());
      driver.finish();
    }
  }
}
