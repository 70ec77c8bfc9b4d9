package dev.arenal.page;

import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in which threads meet: each one that has memory made accessible waits there until so
 * many have come, or for a while. It may also refuse what is larger than it likes.
 */
final class GatedOperatingSystem implements OperatingSystem {
  private final OperatingSystem kernel;
  private final AtomicInteger insideCount = new AtomicInteger();
  private final AtomicInteger mostInside = new AtomicInteger();
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private volatile Duration longestWait = Duration.ZERO;
  private volatile long largestBytes = Long.MAX_VALUE;
  private final AtomicReference<@Nullable Runnable> meanwhile = new AtomicReference<>();

  GatedOperatingSystem(OperatingSystem kernel) {
    this.kernel = kernel;
  }

  /** From now on threads wait for one another, until that many have come or the time is up. */
  void meet(int threadCount, Duration longest) {
    longestWait = longest;
    gate = new CountDownLatch(threadCount);
  }

  /** Has the threads that wait for one another go on. */
  void release() {
    CountDownLatch latch = gate;
    while (latch.getCount() > 0) {
      latch.countDown();
    }
  }

  /** Runs once, in the next thread that has memory made accessible; null is nothing. */
  void meanwhile(@Nullable Runnable action) {
    meanwhile.set(action);
  }

  /** How many threads were inside at a time. */
  int mostInside() {
    return mostInside.get();
  }

  /** Refuses to make more than that accessible in one call. */
  void refuseBeyond(long sizeBytes) {
    largestBytes = sizeBytes;
  }

  @Override
  public int allow(long address, long sizeBytes) {
    int count = insideCount.incrementAndGet();
    var _ = mostInside.accumulateAndGet(count, Math::max);
    try {
      Runnable action = meanwhile.getAndSet(null);
      if (action != null) {
        action.run();
      }
      CountDownLatch latch = gate;
      latch.countDown();
      var _ = latch.await(longestWait.toMillis(), TimeUnit.MILLISECONDS);
      return sizeBytes > largestBytes ? -Errno.ENOMEM : kernel.allow(address, sizeBytes);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      var _ = insideCount.decrementAndGet();
    }
  }

  @Override
  public OperatingSystem kernel() {
    return kernel;
  }
}
