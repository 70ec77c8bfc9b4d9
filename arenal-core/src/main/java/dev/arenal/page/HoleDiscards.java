package dev.arenal.page;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The batches of holes that threads of one allocator are giving back to the kernel: from the moment
 * they are taken out of their pages until they are there again, no request finds them.
 */
final class HoleDiscards {
  /** A batch is one short call for each hole; longer only on a machine that is standing still. */
  private static final long MOST_AWAIT_NANOS = 100_000_000;

  /** The same, but in a test on a machine that may stand still. */
  volatile long mostAwaitNanos = MOST_AWAIT_NANOS;

  private static final long PARK_NANOS = 50_000;

  private final AtomicLong begunCount = new AtomicLong();
  private final AtomicLong endedCount = new AtomicLong();

  /** A batch is going to be taken out of pages. */
  void begin() {
    var _ = begunCount.incrementAndGet();
  }

  /** It is back, or there was nothing. */
  void end() {
    var _ = endedCount.incrementAndGet();
  }

  /** How many have ended, for {@link #awaitOne}. */
  long endedVolatile() {
    return endedCount.get();
  }

  /**
   * Waits until a batch ends, if any is under way, a moment at most.
   *
   * @param endedBefore {@link #endedVolatile} just before the attempt that was refused
   * @return whether any has ended since, so that another attempt is worth it
   */
  boolean awaitOne(long endedBefore) {
    boolean isInterrupted = false;
    long startNanos = System.nanoTime();
    while (endedCount.get() == endedBefore
        && begunCount.get() != endedBefore
        && System.nanoTime() - startNanos < mostAwaitNanos) {
      isInterrupted |= Thread.interrupted(); // else it would not park
      LockSupport.parkNanos(PARK_NANOS);
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return endedCount.get() != endedBefore;
  }
}
