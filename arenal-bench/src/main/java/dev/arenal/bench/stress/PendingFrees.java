package dev.arenal.bench.stress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A buffer is freed while another thread has the lock of its heap: it is left in a list, which
 * whoever has the lock empties. Hazard: the lock is released just then, and nobody comes. This is
 * the protocol of the package-private {@code LockedHeap} with a counter for the list.
 *
 * <p>The result is how many buffers are left lying.
 *
 * <p>Run: {@code "-Dstress.args=-t PendingFrees -m quick"}, see the package.
 */
public final class PendingFrees {
  private PendingFrees() {}

  /** The lock and the list. */
  abstract static class Heap {
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger countPending = new AtomicInteger();

    final void free(boolean looksAgain) {
      if (lock.tryLock()) {
        unlock(looksAgain);
      } else {
        countPending.incrementAndGet();
        if (looksAgain) {
          drainIfFree();
        }
      }
    }

    final void allocate(boolean looksAgain) {
      lock.lock();
      unlock(looksAgain);
    }

    final int countPending() {
      return countPending.get();
    }

    private void unlock(boolean looksAgain) {
      countPending.set(0);
      lock.unlock();
      if (looksAgain) {
        drainIfFree();
      }
    }

    private void drainIfFree() {
      while (countPending.get() != 0 && lock.tryLock()) {
        try {
          countPending.set(0);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /** As it is: who unlocks and who has left something both look again. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Nothing is left lying.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Nobody came.")
  @State
  public static class Shipped extends Heap {
    @Actor
    public void allocate() {
      allocate(true);
    }

    @Actor
    public void free() {
      free(true);
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = countPending();
    }
  }

  /** What it is not: nobody looks again. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(
      id = "1",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: left between the last look and the unlock.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class NobodyLooks extends Heap {
    @Actor
    public void allocate() {
      allocate(false);
    }

    @Actor
    public void free() {
      free(false);
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = countPending();
    }
  }
}
