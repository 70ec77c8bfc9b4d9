package dev.arenal.page;

import dev.arenal.guard.StackSafeLock;
import dev.arenal.reserve.Ledger;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for memory: first come, first served.
 *
 * <p>The first one tries at each free and periodically. For a second it alone takes pages, so that
 * many small requests do not starve a large one; for longer a request that cannot be served must
 * not keep pages from all others. A request that fits into pages that are there passes it by, also
 * from behind in the queue: where something was freed that is of no use to the first one, it wakes
 * the others one after the other, and while nothing is freed they sleep.
 */
@SuppressWarnings({"ReferenceEquality", "NonAtomicVolatileUpdate"}) // threads; under the lock
final class StallQueue implements Ledger.Listener {
  /** Memory that other users of the budget give back is not signalled: the first one looks. */
  static final long LONGEST_PARK_NANOS = 10_000_000;

  /** For each thread that the first one wakes: ten thousand at once would keep all processors. */
  private static final long BETWEEN_WAKES_NANOS = 1_000_000;

  /** So many in a row, however long it slept. */
  private static final int MOST_WAKES = (int) (LONGEST_PARK_NANOS / BETWEEN_WAKES_NANOS);

  /**
   * A thread behind the first one is woken where there may be something for it. It looks by itself
   * as well, since a reclaimer of the program may keep the first one from that: all of them
   * together a hundred times a second.
   */
  private static final long QUEUED_PARK_NANOS_EACH = 10_000_000;

  /**
   * For that long the first one alone takes pages. Again once one was served, or after as long for
   * all others: many short waits in turn must not stop them either.
   */
  static final long EXCLUSIVE_NANOS = 1_000_000_000;

  /** Long for a reclaimer, short for a thread that waits. */
  private static final long BETWEEN_ASKS_NANOS = 50_000_000;

  private final long longestParkNanos;

  /** {@link #EXCLUSIVE_NANOS}, but in a test of what happens before, or after. */
  volatile long exclusiveNanos = EXCLUSIVE_NANOS;

  /** {@link #QUEUED_PARK_NANOS_EACH}, but in a test that no thread looks by itself. */
  volatile long queuedParkNanosEach = QUEUED_PARK_NANOS_EACH;

  /** Shows that another user of the budget has given back; null in a test without a budget. */
  private final @Nullable Ledger ledger;

  private final StackSafeLock lock = new StackSafeLock();

  /**
   * The one that came last, and so on by {@link Waiter#previous}. No collection of the JDK: one
   * that finds no heap to grow may have changed by then.
   */
  private @Nullable Waiter last;

  /** Written under the lock. */
  private volatile int waitingCount;

  /** The one whose turn it is; null if no thread waits. Written under the lock. */
  private volatile @Nullable Waiter first;

  /** When the first one began to have pages for itself; written before it. */
  private volatile long exclusiveSinceNanos = System.nanoTime() - 2 * EXCLUSIVE_NANOS;

  /** When others were asked while a thread waited; racy, since any recent time will do. */
  private volatile long askedNanos = System.nanoTime() - BETWEEN_ASKS_NANOS;

  /**
   * Whether something was freed that no first one has looked for yet; cleared before it looks, so
   * that none is missed.
   */
  final AtomicBoolean isFreed = new AtomicBoolean();

  /** {@link Ledger#uncommitCountVolatile} when the first one looked last; its own. */
  private volatile long seenUncommitCount;

  /** Whether others might take pages then; its own. */
  private volatile boolean wasShared;

  /** When it woke another one last; its own. */
  private volatile long wokenNanos = System.nanoTime();

  /** The next one to be woken by the first one; null: all have been. Under the lock. */
  @Nullable Waiter nextToWake;

  /** Those that came later have looked for themselves. Under the lock. */
  private long lastNumberToWake;

  /** Whether something was freed since the first one began to wake others. Under the lock. */
  private boolean mustWakeAgain;

  /** How many have come. Under the lock. */
  private long enteredCount;

  /** The request of a thread that waits. */
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
  static final class Waiter {
    final Thread thread = Thread.currentThread();
    final long startNanos = System.nanoTime();

    /** In the order in which they came. */
    long number;

    /** When it tried last, in its turn. */
    long triedNanos;

    boolean wasFirst;

    /** Woken, and has not looked since: a lock may have taken the signal. */
    volatile boolean mustLook;

    boolean isServed;
    @Nullable Waiter previous;
    @Nullable Waiter next;
    boolean isGone;
  }

  /** An empty one of an allocator that has the budget of that ledger. */
  StallQueue(Ledger ledger) {
    this(LONGEST_PARK_NANOS, ledger);
    ledger.addListener(this);
  }

  /** An empty one that nothing but {@link #signal} wakes up before that time, for tests. */
  StallQueue(long longestParkNanos) {
    this(longestParkNanos, null);
  }

  private StallQueue(long longestParkNanos, @Nullable Ledger ledger) {
    this.longestParkNanos = longestParkNanos;
    this.ledger = ledger;
  }

  /** Whether the calling thread is the first one that waits. */
  boolean isFirst() {
    Waiter known = first;
    return known != null && known.thread == Thread.currentThread();
  }

  /** Whether the calling thread may take pages. */
  boolean mayGrow() {
    Waiter known = first;
    return known == null
        || known.thread == Thread.currentThread()
        || System.nanoTime() - exclusiveSinceNanos > exclusiveNanos;
  }

  /** Whether a thread waits for memory; a recent value. */
  boolean isWaiting() {
    return first != null;
  }

  /**
   * Whether the others of the budget are to be asked: always, if no thread waits; else now and
   * then, since the first one may try whenever anything is freed.
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
    Waiter known = first;
    if (known != null) {
      isFreed.set(true); // before the thread that is woken clears it
      LockSupport.unpark(known.thread);
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
        self.mustLook = false; // before it looks
        T result = isFirst() ? inTurn(self, request) : request.attemptBehind();
        // Right for any number of nanoseconds.
        long left = nanos - (System.nanoTime() - self.startNanos);
        if (result != null || left <= 0 || self.thread.isInterrupted()) {
          self.isServed = result != null;
          return result;
        }
        if (!request.isPossible()) {
          return null; // in its turn it would hold up all others, for nothing
        }
        park(self, left);
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

  /** Until there may be something for it; a lock may have taken the signal that says so. */
  private void park(Waiter self, long leftNanos) {
    boolean isMyTurn = isFirst();
    if (isMyTurn ? isFreed.get() || !self.wasFirst : self.mustLook) {
      return;
    }
    long mostNanos =
        isMyTurn
            ? longestParkNanos
            : Math.max(longestParkNanos, waitingCount * queuedParkNanosEach);
    LockSupport.parkNanos(this, Math.min(leftNanos, mostNanos));
  }

  /** Tries, if that may be of use by now, and wakes others that might be served. */
  <T> @Nullable T inTurn(Waiter self, Request<T> request) {
    long nowNanos = System.nanoTime();
    long uncommitCount = ledger == null ? 0 : ledger.uncommitCountVolatile();
    boolean isShared = nowNanos - exclusiveSinceNanos > exclusiveNanos;
    boolean isChanged =
        isFreed.get() || uncommitCount != seenUncommitCount || (isShared && !wasShared);
    wasShared = isShared;
    T result = null;
    if (isChanged || !self.wasFirst || nowNanos - self.triedNanos >= BETWEEN_ASKS_NANOS) {
      // A buffer freed in this moment is for those behind it as well.
      isChanged |= isFreed.getAndSet(false);
      seenUncommitCount = uncommitCount;
      self.wasFirst = true;
      self.triedNanos = nowNanos;
      result = request.attempt();
    }
    if (result == null) {
      wakeOthers(isChanged, nowNanos);
    }
    return result;
  }

  private void wakeOthers(boolean isChanged, long nowNanos) {
    long due = Math.clamp((nowNanos - wokenNanos) / BETWEEN_WAKES_NANOS, 0, MOST_WAKES);
    if (due > 0) {
      wokenNanos = nowNanos;
    }
    Thread next = nextToWake(isChanged, due);
    while (next != null) {
      LockSupport.unpark(next);
      due--;
      next = nextToWake(false, due);
    }
  }

  /** Null where all have been woken, or no more are due. */
  private @Nullable Thread nextToWake(boolean isChanged, long due) {
    lock.lock();
    try {
      mustWakeAgain |= isChanged;
      Waiter next = nextToWake;
      if (next != null && next.previous == null) {
        next = next.next; // its turn has come
      }
      if (next == null || next.number > lastNumberToWake) {
        Waiter oldest = first;
        Waiter newest = last;
        next = mustWakeAgain && oldest != null ? oldest.next : null;
        lastNumberToWake = newest == null ? 0 : newest.number;
        mustWakeAgain = false;
      }
      nextToWake = next;
      if (next == null || due <= 0) {
        return null;
      }
      nextToWake = next.next;
      next.mustLook = true; // before it is woken
      return next.thread;
    } finally {
      lock.unlock();
    }
  }

  void enter(Waiter self) {
    lock.lock();
    try {
      Waiter before = last;
      self.number = ++enteredCount;
      self.previous = before;
      if (before == null) {
        if (self.startNanos - exclusiveSinceNanos > 2 * exclusiveNanos) {
          exclusiveSinceNanos = self.startNanos;
        }
        first = self;
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
            if (self.isServed || nowNanos - exclusiveSinceNanos > 2 * exclusiveNanos) {
              exclusiveSinceNanos = nowNanos;
            }
            first = behind;
          }
        } else {
          before.next = behind;
        }
        if (nextToWake == self) {
          nextToWake = behind;
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
    if (self.previous == null) { // its turn is that of another one now
      signal(); // also the second time: the first one may not have come so far
    }
  }
}
