package dev.arenal.lab.replay;

import java.io.IOException;
import java.util.concurrent.Callable;
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
  /**
   * Two rounds of the whole trace, unless it is a giant. An allocator in Java has paths that are
   * taken once in a thousand allocations; compiled during the measured replay, they would cost it
   * time, and the compiler's memory, some MiB, would count as its own.
   */
  private static final WarmUp THOROUGH = new WarmUp(8_000_000, 2);

  /** Each of their operations takes the same few paths. */
  private static final WarmUp SHORT = new WarmUp(500_000, 4);

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
    return inNewThread("replay", this::measureInThisThread);
  }

  private ChildResult measureInThisThread() throws IOException, InterruptedException {
    // The first call gives this thread its heap, before the warm-up can leave one behind.
    LibC.free(LibC.malloc(Long.BYTES));
    long[] operations = TracePlan.of(program).sampleOperations();
    long[] committedBytes = new long[operations.length];
    long[] residentBytes = new long[operations.length];
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      inNewThread("warm-up", () -> warmUp(resident));
      try (ReplayAllocator allocator = ReplayAllocators.open(kind, program)) {
        Driver driver = driver(program, allocator);
        settle(kind);
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
   * Runs a task in a new thread and waits for it. glibc's malloc has a heap per thread, so what one
   * thread left free is not used again, unseen, by another.
   */
  private static <T> T inNewThread(String name, Callable<T> task)
      throws IOException, InterruptedException {
    FutureTask<T> future = new FutureTask<>(task);
    new Thread(future, name).start();
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException("thread failed: name=" + name, e.getCause());
    }
  }

  private boolean warmUp(ResidentMemory resident) {
    WarmUp warmUp = kind.isElastic() ? THOROUGH : SHORT;
    ReplayProgram thinned = ThinnedProgram.of(program, warmUp.countAllocations());
    for (int round = 0; round < warmUp.countRounds(); round++) {
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
    return true;
  }

  private Driver driver(ReplayProgram replayed, ReplayAllocator allocator) {
    return isVerifying
        ? new VerifyingDriver(replayed, allocator)
        : new ReplayDriver(replayed, allocator);
  }

  /** Leaves nothing behind that would come or go by itself during the replay. */
  private static void settle(AllocatorKind kind) throws InterruptedException {
    System.gc();
    Thread.sleep(SETTLE_MILLIS);
    if (kind.usesMalloc()) {
      LibC.trim();
    }
  }

  /** How many allocations of a trace are replayed how often before the measured replay. */
  private record WarmUp(long countAllocations, int countRounds) {}

  /** Something that does the operations of a program. */
  interface Driver {
    /** Does the operations {@code from} (inclusive) to {@code to} (exclusive). */
    void run(long from, long to);

    /** Called once, after the last operation and outside of what is timed. */
    default void finish() {}
  }
}
