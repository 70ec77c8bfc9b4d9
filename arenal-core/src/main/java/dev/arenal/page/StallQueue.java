package dev.arenal.page;

import dev.arenal.guard.StackSafeLock;
import dev.arenal.reserve.Ledger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for memory: first come, first served.
 *
 * <p>The first one tries at each free and periodically. For a second it alone takes pages, so that
 * many small requests do not starve a large one; for longer a request that cannot be served must
 * not keep pages from all others. A request that fits into pages that are there passes it by, also
 * from behind in the queue.
 */
@SuppressWarnings({"ReferenceEquality", "NonAtomicVolatileUpdate"}) // threads; under the lock
final class StallQueue implements Ledger.Listener {
  /** Memory that other users of the budget give back is not signalled. */
  static final long LONGEST_PARK_NANOS = 10_000_000;

  /**
   * A thread whose turn comes is woken up; until then it looks now and then for memory that is of
   * no use to the first one: all of them together a thousand times a second.
   */
  private static final long QUEUED_PARK_NANOS_EACH = 1_000_000;

  /**
   * For that long the first one alone takes pages. Again once one was served, or after as long for
   * all others: many short waits in turn must not stop them either.
   */
  private static final long EXCLUSIVE_NANOS = 1_000_000_000;

  /** Long for a reclaimer, short for a thread that waits. */
  private static final long BETWEEN_ASKS_NANOS = 50_000_000;

  private final long longestParkNanos;

  private final StackSafeLock lock = new StackSafeLock();

  /**
   * The one that came last, and so on by {@link Waiter#previous}. No collection of the JDK: one
   * that finds no heap to grow may have changed by then.
   */
  private @Nullable Waiter last;

  /** Written under the lock. */
  private volatile int waitingCount;

  /** The thread whose turn it is; null if no thread waits. Written under the lock. */
  private volatile @Nullable Thread first;

  /** When the first one began to have pages for itself; written before it. */
  private volatile long exclusiveSinceNanos = System.nanoTime() - 2 * EXCLUSIVE_NANOS;

  /** When others were asked while a thread waited; racy, since any recent time will do. */
  private volatile long askedNanos = System.nanoTime() - BETWEEN_ASKS_NANOS;

  /** What a thread waits for. */
  @FunctionalInterface
  interface Request<T> {
    /** Tries, as the first one in the queue; null where there is no room. */
    @Nullable T attempt();

    /** Tries behind others: for memory at hand, without a search of all there is. */
    default @Nullable T attemptBehind() {
      return null;
    }

    /** Whether a wait may help at all. */
    default boolean isPossible() {
      return true;
    }
  }

  /** A thread in the queue; made before it enters. */
  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final long startNanos = System.nanoTime();
    boolean isServed;
    @Nullable Waiter previous;
    @Nullable Waiter next;
    boolean isGone;
  }

  /** An empty one of an allocator that has the budget of that ledger. */
  StallQueue(Ledger ledger) {
    this(LONGEST_PARK_NANOS);
    ledger.addListener(this);
  }

  /** An empty one that nothing but {@link #signal} wakes up before that time, for tests. */
  StallQueue(long longestParkNanos) {
    this.longestParkNanos = longestParkNanos;
  }

  /** Whether the calling thread is the first one that waits. */
  boolean isFirst() {
    return first == Thread.currentThread();
  }

  /** Whether the calling thread may take pages. */
  boolean mayGrow() {
    Thread known = first;
    return known == null
        || known == Thread.currentThread()
        || System.nanoTime() - exclusiveSinceNanos > EXCLUSIVE_NANOS;
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

  /** The number of threads that wait; a recent value. */
  int waitingCount() {
    return waitingCount;
  }

  /**
   * Tries again and again until it succeeds, the time is up, the thread is interrupted (which it
   * stays), or waiting is of no use any more.
   *
   * @return the result of the attempt; null if it never succeeded
   */
  <T> @Nullable T await(Request<T> request, long nanos) {
    Waiter self = new Waiter();
    enter(self);
    try {
      while (true) {
        boolean isMyTurn = first == self.thread;
        T result = isMyTurn ? request.attempt() : request.attemptBehind();
        // Right for any number of nanoseconds.
        long left = nanos - (System.nanoTime() - self.startNanos);
        if (result != null || left <= 0 || self.thread.isInterrupted()) {
          self.isServed = result != null;
          return result;
        }
        if (!request.isPossible()) {
          return null; // in its turn it would hold up all others, for nothing
        }
        // Asked anew: its turn may have come meanwhile, and a lock have taken the signal.
        long mostNanos =
            first == self.thread
                ? longestParkNanos
                : Math.max(longestParkNanos, waitingCount * QUEUED_PARK_NANOS_EACH);
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
        if (self.startNanos - exclusiveSinceNanos > 2 * EXCLUSIVE_NANOS) {
          exclusiveSinceNanos = self.startNanos;
        }
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
    long nowNanos = System.nanoTime();
    lock.lock();
    try {
      if (!self.isGone) { // no call in it: all of that, or nothing
        self.isGone = true;
        Waiter before = self.previous;
        Waiter behind = self.next;
        if (before == null) {
          if (behind == null) {
            first = null;
          } else {
            if (self.isServed || nowNanos - exclusiveSinceNanos > 2 * EXCLUSIVE_NANOS) {
              exclusiveSinceNanos = nowNanos;
            }
            first = behind.thread;
          }
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
