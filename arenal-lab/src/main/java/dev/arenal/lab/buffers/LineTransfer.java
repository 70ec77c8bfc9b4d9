package dev.arenal.lab.buffers;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * How long a line of a cache takes from one processor to another one and back. Threads that hand
 * buffers to each other wait for that, whatever the allocator; and where a host moves virtual
 * processors between its cores, it can be five times as long in one second as in the next.
 */
final class LineTransfer {
  private static final long MEASURED_NANOS = 50_000_000;
  private static final int TRIPS_IN_A_BATCH = 200;

  /** A batch with more took its threads from one time slice of a processor to the next. */
  private static final double MOST_NANOS = 5_000;

  /** Between two looks at the clock of a thread that waits for the other one. */
  private static final int SPINS_BETWEEN_LOOKS = 1024;

  /** In the middle of the array, so that nothing else is in its line. */
  private static final int BALL = 64;

  /** In a line of its own: the answer to a late ball must not overwrite it. */
  private static final int IS_OVER = 0;

  private final AtomicIntegerArray cells = new AtomicIntegerArray(2 * BALL);
  private final long endNanos = System.nanoTime() + MEASURED_NANOS;

  private LineTransfer() {}

  /**
   * Nanoseconds there and back, of the fastest batch of some tens of milliseconds; null where there
   * is one processor, or the two threads had to share one all the time. It keeps two processors
   * busy.
   */
  static @Nullable Double roundTripNanos() throws InterruptedException {
    if (Runtime.getRuntime().availableProcessors() < 2) {
      return null;
    }
    LineTransfer transfer = new LineTransfer();
    Thread other = Thread.ofPlatform().daemon().name("line-transfer").start(transfer::answer);
    double least = Double.POSITIVE_INFINITY;
    while (System.nanoTime() < transfer.endNanos) {
      least = Math.min(least, transfer.batchNanos() / TRIPS_IN_A_BATCH);
    }
    transfer.cells.setRelease(IS_OVER, 1);
    other.join();
    return least > MOST_NANOS ? null : least;
  }

  /** Of one batch; infinite if time is over within it. */
  private double batchNanos() {
    long startNanos = System.nanoTime();
    for (int i = 0; i < TRIPS_IN_A_BATCH; i++) {
      cells.setRelease(BALL, 1);
      for (int spins = 1; cells.getAcquire(BALL) == 1; spins++) {
        if (spins % SPINS_BETWEEN_LOOKS == 0 && System.nanoTime() >= endNanos) {
          return Double.POSITIVE_INFINITY;
        }
      }
    }
    return System.nanoTime() - startNanos;
  }

  private void answer() {
    while (cells.getAcquire(IS_OVER) == 0) {
      if (cells.getAcquire(BALL) == 1) {
        cells.setRelease(BALL, 0);
      }
    }
  }
}
