package dev.arenal.lab.replay;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * One measured replay in this process.
 *
 * <p>The program lies decoded in memory before the first look at the resident size. The loop and
 * the allocator are warm by then: what the compiler needs, it has taken from the same heap as
 * malloc's blocks, and that must not be counted as theirs.
 */
final class Measurement {
  /** Enough for the last tier of compilation to settle, a fraction of a second of work. */
  private static final int COUNT_WARM_UP_ROUNDS = 8;

  private static final long COUNT_WARM_UP_ALLOCATIONS = 150_000;
  private static final int COUNT_WARM_UP_SAMPLES = 2_000;
  private static final long SETTLE_MILLIS = 50;

  private final ReplayProgram program;
  private final AllocatorKind kind;
  private final boolean isVerifying;

  Measurement(ReplayProgram program, AllocatorKind kind, boolean isVerifying) {
    this.program = program;
    this.kind = kind;
    this.isVerifying = isVerifying;
  }

  ChildResult measure() throws IOException, InterruptedException {
    long[] operations = TracePlan.of(program).sampleOperations();
    long[] committedBytes = new long[operations.length];
    long[] residentBytes = new long[operations.length];
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      warmUpInAnotherThread(resident);
      try (ReplayAllocator allocator = ReplayAllocators.open(kind, program)) {
        Driver driver = driver(program, allocator);
        settle();
        long baselineBytes = resident.residentBytes();
        long wallNanos = 0;
        long done = 0;
        for (int i = 0; i < operations.length; i++) {
          long start = System.nanoTime();
          driver.run(done, operations[i]);
          wallNanos += System.nanoTime() - start;
          done = operations[i];
          committedBytes[i] = allocator.committedBytes();
          residentBytes[i] = Math.max(0, resident.residentBytes() - baselineBytes);
        }
        driver.finish();
        return new ChildResult(
            wallNanos,
            allocator.granuleBytes(),
            allocator.headerBytesPerBlock(),
            committedBytes,
            residentBytes);
      }
    }
  }

  /**
   * Warms up where it leaves no traces: glibc's malloc has a heap per thread, and what it keeps of
   * a thread that ended is not handed to the one that is measured.
   */
  private void warmUpInAnotherThread(ResidentMemory resident) throws InterruptedException {
    FutureTask<Void> task = new FutureTask<>(() -> warmUp(resident), null);
    Thread thread = new Thread(task, "warm-up");
    thread.start();
    thread.join();
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the warm-up failed", e.getCause());
    }
  }

  private void warmUp(ResidentMemory resident) {
    ReplayProgram thinned = ThinnedProgram.of(program, COUNT_WARM_UP_ALLOCATIONS);
    for (int round = 0; round < COUNT_WARM_UP_ROUNDS; round++) {
      try (ReplayAllocator allocator = ReplayAllocators.open(kind, thinned)) {
        Driver driver = driver(thinned, allocator);
        driver.run(0, thinned.countOperations());
        driver.finish();
        long _ = allocator.committedBytes();
      }
    }
    for (int i = 0; i < COUNT_WARM_UP_SAMPLES; i++) {
      long _ = resident.residentBytes();
    }
  }

  private Driver driver(ReplayProgram replayed, ReplayAllocator allocator) {
    return isVerifying
        ? new VerifyingDriver(replayed, allocator)
        : new ReplayDriver(replayed, allocator);
  }

  /** Leaves nothing behind that would come or go by itself during the replay. */
  private static void settle() throws InterruptedException {
    System.gc();
    Thread.sleep(SETTLE_MILLIS);
    LibC.trim();
  }

  /** Something that does the operations of a program. */
  interface Driver {
    /** Does the operations {@code from} (inclusive) to {@code to} (exclusive). */
    void run(long from, long to);

    /** Called once, after the last operation and outside of what is timed. */
    default void finish() {}
  }
}
