package dev.arenal.page;

import dev.arenal.guard.StackSafeLock;
import dev.arenal.reserve.Ledger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for memory: first come, first served.
 *
 * <p>Only the first one tries, at each free and periodically; while there are any, no other thread
 * takes another page, so that many small requests do not starve a large one. A request that fits
 * into pages that are there passes them by.
 */
@SuppressWarnings("ReferenceEquality") // the thread itself is meant
final class StallQueue implements Ledger.Listener {
  /** Memory that other users of the budget give back is not signalled. */
  private static final long LONGEST_PARK_NANOS = 10_000_000;

  /** A thread whose turn comes is woken up; the one that was to do so may have ended. */
  private static final long LONGEST_QUEUED_PARK_NANOS = 1_000_000_000;

  /** Long for a reclaimer, short for a thread that waits. */
  private static final long BETWEEN_ASKS_NANOS = 50_000_000;

  private final long longestParkNanos;
  private final long longestQueuedParkNanos;

  private final StackSafeLock lock = new StackSafeLock();

  /**
   * The one that came last, and so on by {@link Waiter#previous}. No collection of the JDK: one
   * that finds no heap to grow may have changed by then.
   */
  private @Nullable Waiter last;

  private int waitingCount;

  /** The thread whose turn it is; null if no thread waits. Written under the lock. */
  private volatile @Nullable Thread first;

  /** When others were asked while a thread waited; racy, since any recent time will do. */
  private volatile long askedNanos = System.nanoTime() - BETWEEN_ASKS_NANOS;

  /** A thread in the queue; made before it enters. */
  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    @Nullable Waiter previous;
    @Nullable Waiter next;
    boolean isGone;
  }

  /** An empty one of an allocator that has the budget of that ledger. */
  StallQueue(Ledger ledger) {
    this(ledger, LONGEST_PARK_NANOS);
  }

  /** The same, with another time. */
  StallQueue(Ledger ledger, long longestParkNanos) {
    this(longestParkNanos);
    ledger.addListener(this);
  }

  /** An empty one that nothing but {@link #signal} wakes up. */
  StallQueue() {
    this(LONGEST_PARK_NANOS);
  }

  /** Another time, for tests: before which no thread looks without a signal. */
  StallQueue(long longestParkNanos) {
    this.longestParkNanos = longestParkNanos;
    this.longestQueuedParkNanos = Math.max(longestParkNanos, LONGEST_QUEUED_PARK_NANOS);
  }

  /** Whether the calling thread may take pages. */
  boolean mayGrow() {
    Thread known = first;
    return known == null || known == Thread.currentThread();
  }

  /** Whether a thread waits for memory; a recent value. */
  boolean isWaiting() {
    return first != null;
  }

  /**
   * Whether the others of the budget are to be asked: always, if no thread waits; else now and
   * then, since the first one tries a hundred times a second and more.
   */
  boolean mayAskOthers() {
    if (!isWaiting()) {
      return true;
    }
    long nowNanos = System.nanoTime();
    boolean isDue = nowNanos - askedNanos >= BETWEEN_ASKS_NANOS;
    if (isDue) {
      askedNanos = nowNanos;
    }
    return isDue;
  }

  /** Something was freed. */
  void signal() {
    Thread known = first;
    if (known != null) {
      LockSupport.unpark(known);
    }
  }

  /** A budget may now allow a request that it refused. */
  @Override
  public void limitChanged() {
    signal();
  }

  int waitingCount() {
    lock.lock();
    try {
      return waitingCount;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tries again and again, when it is this thread's turn, until it succeeds, or the time is up, or
   * the thread is interrupted (which it stays).
   *
   * @return the result of the attempt; null if it never succeeded
   */
  <T> @Nullable T await(Supplier<@Nullable T> attempt, long nanos) {
    long start = System.nanoTime();
    Waiter self = new Waiter();
    enter(self);
    try {
      while (true) {
        boolean isMyTurn = first == self.thread;
        T result = isMyTurn ? attempt.get() : null;
        long left = nanos - (System.nanoTime() - start); // right for any number of nanoseconds
        if (result != null || left <= 0 || self.thread.isInterrupted()) {
          return result;
        }
        long mostNanos = isMyTurn ? longestParkNanos : longestQueuedParkNanos;
        LockSupport.parkNanos(this, Math.min(left, mostNanos));
      }
    } finally {
      try {
        leave(self);
      } catch (VirtualMachineError e) {
        // Behind the reserve of stack only a fault of a test comes here. A thread that stays in the
        // queue would hold up all others, and its buffer would be lost.
        leave(self);
      }
    }
  }

  private void enter(Waiter self) {
    lock.lock();
    try {
      Waiter before = last;
      self.previous = before;
      if (before == null) {
        first = self.thread;
      } else {
        before.next = self;
      }
      last = self;
      waitingCount++;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Waiter self) {
    lock.lock();
    try {
      if (!self.isGone) { // no call in it: all of that, or nothing
        self.isGone = true;
        Waiter before = self.previous;
        Waiter behind = self.next;
        if (before == null) {
          first = behind == null ? null : behind.thread;
        } else {
          before.next = behind;
        }
        if (behind == null) {
          last = before;
        } else {
          behind.previous = before;
        }
        waitingCount--;
      }
    } finally {
      lock.unlock();
    }
    signal(); // also the second time: the first one may not have come so far
  }
}
