package dev.arenal.lab.replay;

import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.NativeHeap;
import dev.arenal.lab.heap.ResidentMemory;
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
record Measurement(ReplayProgram program, AllocatorKind kind, boolean isVerifying) {
  private static final long SETTLE_MILLIS = 50;

  ChildResult measure() throws IOException, InterruptedException {
    return inNewThread("replay", this::measureInThisThread);
  }

  private ChildResult measureInThisThread() throws IOException, InterruptedException {
    // The first call gives this thread its heap, before the warm-up can leave one behind.
    NativeHeap heap = MeasuredHeap.heap();
    heap.enterThread();
    MeasuredHeap.free(MeasuredHeap.malloc(Long.BYTES));
    heap.prove();
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      inNewThread(
          "warm-up",
          () -> {
            WarmUp.run(kind, program, isVerifying, resident);
            return true;
          });
      SteppedReplay replay = new SteppedReplay(program, isVerifying, resident);
      settle();
      long baselineBytes = resident.residentBytes();
      try (ReplayAllocator allocator = ReplayAllocator.open(kind, program)) {
        replay.run(allocator, baselineBytes);
        return new ChildResult(
            kind.isHeap() ? heap.library() : "",
            allocator.granuleBytes(),
            allocator.headerBytesPerBlock(),
            replay.compilerMillis(),
            replay.moments());
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
      switch (e.getCause()) {
        case IOException cause -> throw cause;
        case IllegalStateException cause -> throw cause;
        case null, default ->
            throw new IllegalStateException(
                "thread failed: name=%s, cause=%s".formatted(name, e.getCause()), e.getCause());
      }
    }
  }

  /** Leaves nothing behind that would come or go by itself during the replay. */
  private void settle() throws InterruptedException {
    System.gc();
    Thread.sleep(SETTLE_MILLIS);
    if (kind.usesMalloc() || kind.isLibrary()) {
      MeasuredHeap.heap().settle();
    }
  }

  /** Something that does the operations of a program. */
  interface Driver {
    /** Does the operations {@code from} (inclusive) to {@code to} (exclusive). */
    void run(long from, long to);

    /** Called once, after the last operation and outside of what is timed. */
    default void finish() {}
  }
}
