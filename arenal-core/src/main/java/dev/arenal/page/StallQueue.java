package dev.arenal.page;

import dev.arenal.guard.StackSafeLock;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for memory: first come, first served.
 *
 * <p>Only the first one tries, at each free and now and then; while there are any, nobody else
 * takes another page, so that many small requests do not starve a large one. A request that fits
 * into pages that are there passes them by.
 */
@SuppressWarnings("ReferenceEquality") // the thread itself is meant
final class StallQueue {
  /** Memory that other users of the budget give back is not signalled. */
  private static final long LONGEST_PARK_NANOS = 10_000_000;

  private final long longestParkNanos;

  private final StackSafeLock lock = new StackSafeLock();
  private final ArrayDeque<Thread> waiting = new ArrayDeque<>();

  /** The thread whose turn it is; null if nobody waits. Written under the lock. */
  private volatile @Nullable Thread first;

  /** An empty one. */
  StallQueue() {
    this(LONGEST_PARK_NANOS);
  }

  /** Another time, for tests: after which the first one looks without a signal. */
  StallQueue(long longestParkNanos) {
    this.longestParkNanos = longestParkNanos;
  }

  /** Whether the calling thread may take pages. */
  boolean mayGrow() {
    Thread head = first;
    return head == null || head == Thread.currentThread();
  }

  /** Something was freed. */
  void signal() {
    Thread head = first;
    if (head != null) {
      LockSupport.unpark(head);
    }
  }

  int countWaiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tries again and again, when it is this thread's turn, until it succeeds, or the time is up, or
   * the thread is interrupted (which it stays).
   *
   * @return what the attempt returned; null if it never succeeded
   */
  <T> @Nullable T await(Supplier<@Nullable T> attempt, long nanos) {
    long start = System.nanoTime();
    Thread self = Thread.currentThread();
    enter(self);
    try {
      while (true) {
        boolean isMyTurn = first == self;
        T result = isMyTurn ? attempt.get() : null;
        long left = nanos - (System.nanoTime() - start); // right for any number of nanoseconds
        if (result != null || left <= 0 || self.isInterrupted()) {
          return result;
        }
        LockSupport.parkNanos(this, Math.min(left, longestParkNanos));
      }
    } finally {
      leave(self);
    }
  }

  private void enter(Thread self) {
    lock.lock();
    try {
      waiting.add(self);
      first = waiting.peek();
    } finally {
      lock.unlock();
    }
  }

  private void leave(Thread self) {
    lock.lock();
    try {
      waiting.remove(self);
      first = waiting.peek();
    } finally {
      lock.unlock();
    }
    signal();
  }
}
