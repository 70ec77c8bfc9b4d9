package dev.arenal.supply;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackReserve;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.os.CarrierLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/**
 * How much of the memory of one owner, a space or a page supply, is claimed, and the threads that
 * wait for it. Claimed memory is neither free nor used: a thread has the kernel discard it, or
 * touches it, or puts it together, without the lock of the owner.
 *
 * <p>A thread that is refused memory waits for what is claimed, and tries again ({@link Retry}).
 * Meanwhile a pretouch claims nothing more, and nothing is discarded by itself, so that claims come
 * to an end. No wait but that of a close is longer than ten seconds. Damage ends a wait; an
 * interrupt does not, and is kept.
 *
 * <p>Guarded by the lock of the owner, which is held by the callers of all methods that do not say
 * otherwise.
 */
@SuppressWarnings("EnumOrdinal") // counts by use
public final class Claims {
  /** Longer than any call of the kernel for one claim. */
  public static final long MOST_WAIT_NANOS = 10_000_000_000L;

  /**
   * How long other threads make way for a thread that tries again: enough for an attempt or two.
   */
  private static final long MOST_WAY_NANOS = 200_000_000;

  /** A pretouch touches a part in much less, and another owner moves its granules. */
  private static final long MOST_RETURN_NANOS = 300_000_000;

  /** The thread that is to signal may have come to the end of its stack. */
  private static final long MOMENT_NANOS = 20_000_000;

  /** Discards to wait for: there may always be another one. */
  private static final int MOST_DISCARDS = 8;

  /** Why memory is claimed. */
  public enum Use {
    /** It is discarded: one short call of the kernel. */
    DISCARD,
    /** Claimed by a pretouch. */
    PRETOUCH,
    /** A page is put together from it. */
    ASSEMBLY,
    /** Another owner of the budget makes something of it, or returns it. */
    LOAN
  }

  final StackSafeLock lock;
  final Damage damage;
  private final Condition settled;

  /** By the ordinal of the use. */
  private final int[] counts = new int[Use.values().length];

  /** Settlements of all uses, and of those that are returned; written under the lock. */
  private final AtomicLong settledCount = new AtomicLong();

  private final AtomicLong returnedCount = new AtomicLong();
  private long settledDiscardCount;

  /** Requests that are tried again; a thread has two if it does so in a reclaimer it has called. */
  private final List<Retry> retrying = new ArrayList<>();

  private boolean hasPutOff;

  /** For how long a request for a page waits, which may hold the lock of a heap. */
  volatile long mostReturnNanos = MOST_RETURN_NANOS;

  /** Nothing is claimed. */
  public Claims(StackSafeLock lock, Damage damage) {
    this.lock = lock;
    this.settled = lock.newCondition();
    this.damage = damage;
  }

  // ---- claims ----

  /** Some memory is claimed; needs no Java heap. */
  public void begin(Use use) {
    counts[use.ordinal()]++;
  }

  /** It is free, or used, again; needs no Java heap. */
  public void end(Use use) {
    counts[use.ordinal()]--;
    settledDiscardCount += use == Use.DISCARD ? 1 : 0;
    var _ = settledCount.incrementAndGet();
    if (use == Use.PRETOUCH || use == Use.LOAN) {
      var _ = returnedCount.incrementAndGet();
    }
    settled.signalAll();
  }

  /** The number of claims for that use. */
  public int count(Use use) {
    return counts[use.ordinal()];
  }

  private boolean isAny() {
    int sum = 0;
    for (int count : counts) {
      sum += count;
    }
    return sum > 0;
  }

  /**
   * The number of claims of a pretouch and of other owners. A request for a page waits for these,
   * maybe with the lock of a heap held: the threads that have claimed them never take that lock.
   */
  public int returningCount() {
    return count(Use.PRETOUCH) + count(Use.LOAN);
  }

  boolean isReturning() {
    return returningCount() > 0;
  }

  /** The number of settlements; by any thread, which may read an old value. */
  public long settledCountRacy() {
    return settledCount.get();
  }

  /** The same of what a pretouch had in hand, or another owner. */
  public long returnedCountRacy() {
    return returnedCount.get();
  }

  // ---- waiting ----

  /**
   * Waits for memory that is just discarded, but not for a pretouch; takes the lock.
   *
   * @return whether there was any
   */
  public boolean awaitDiscards() {
    return awaitDiscards(MOST_WAIT_NANOS);
  }

  /** The same, for that long at most: the lock of another owner may be held. */
  public boolean awaitDiscards(long mostNanos) {
    lock.lock();
    try {
      boolean isBusy = count(Use.DISCARD) > 0;
      long enoughCount = settledDiscardCount + MOST_DISCARDS;
      long startNanos = System.nanoTime();
      while (count(Use.DISCARD) > 0
          && settledDiscardCount < enoughCount
          && mayWait(startNanos, mostNanos)) {
        awaitMoment(startNanos);
      }
      return isBusy;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until nothing is claimed, before the addresses go. Where there is damage, a claim may
   * have been left behind: then not for longer than that.
   */
  public void awaitNone(long mostNanosIfDamaged) {
    awaitNone(mostNanosIfDamaged, false);
  }

  /**
   * The same.
   *
   * @param isDoubtful whether a claim may have been left behind although there is no damage
   */
  public void awaitNone(long mostNanosIfDoubtful, boolean isDoubtful) {
    long startNanos = System.nanoTime();
    while (isAny()
        && !((isDoubtful || damage.isNoted())
            && System.nanoTime() - startNanos >= mostNanosIfDoubtful)) {
      awaitMoment(startNanos);
    }
  }

  /**
   * The same as {@link #awaitMoment()}, maybe with another lock held: that of a heap, or of regular
   * work. For a while a virtual thread stays on its carrier ({@link CarrierLock}): those that have
   * claimed memory do not wait for anything that needs it.
   */
  private void awaitMoment(long startNanos) {
    if (!CarrierLock.staysOnCarrier(startNanos)) {
      awaitMoment();
      return;
    }
    int holds = lock.getHoldCount();
    for (int i = 0; i < holds; i++) {
      lock.unlock();
    }
    try {
      CarrierLock.sleepMoment();
    } finally {
      for (int i = 0; i < holds; i++) {
        lock.lock();
      }
    }
  }

  /** Waits for a signal, for a moment at most, with nothing half done. */
  @SuppressWarnings("WaitNotInLoop") // the caller looks again
  public void awaitMoment() {
    boolean isInterrupted = Thread.interrupted();
    try {
      var _ = settled.awaitNanos(MOMENT_NANOS);
    } catch (InterruptedException e) {
      isInterrupted = true;
    } catch (OutOfMemoryError e) { // the Java heap has no room for that exception
      if (!lock.isHeldByCurrentThread() || !StackReserve.isThereShort()) {
        throw e; // or it is the end of the stack
      }
      isInterrupted = true;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    lock.afterWait();
  }

  /**
   * Whether a wait that began then goes on. The conditions of waits are no lambdas: one that is
   * linked at its first use, at the end of a stack, fails for ever.
   */
  private boolean mayWait(long startNanos, long mostNanos) {
    return !damage.isNoted() && System.nanoTime() - startNanos < mostNanos;
  }

  // ---- trying again ----

  /** Whether a thread tries again, so that nothing is to be claimed. */
  boolean isAwaited() {
    for (int i = 0; i < retrying.size(); i++) {
      if (!retrying.get(i).isLeftBehind()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The same, but not for a thread that tries again itself: two of them would wait for each other.
   */
  private boolean isAwaitedByOthers() {
    boolean isAny = false;
    for (int i = 0; i < retrying.size(); i++) {
      Retry request = retrying.get(i);
      if (!request.isLeftBehind()) {
        if (request.isOfThisThread()) {
          return false;
        }
        isAny = true;
      }
    }
    return isAny;
  }

  /**
   * Whether a thread tries again, so that a discard that none waits for is put off, and noted. The
   * calling thread counts, too: what its reclaimers free may serve it.
   */
  public boolean putsOff() {
    boolean isPutOff = isAwaited();
    hasPutOff |= isPutOff;
    return isPutOff;
  }

  /**
   * Waits while others try again: as long as a pretouch or a loan may help them, and a moment else.
   */
  public void makeWay() {
    if (isAwaitedByOthers()) {
      long startNanos = System.nanoTime();
      while (isAwaited() && isReturning() && mayWait(startNanos, MOST_WAIT_NANOS)) {
        awaitMoment();
      }
      long againNanos = System.nanoTime();
      while (isAwaited() && mayWait(againNanos, MOST_WAY_NANOS)) {
        awaitMoment();
      }
    }
  }

  /** A request is tried again from now on. Where the Java heap is full, it is not. */
  void addRetrying(Retry request) {
    for (int i = retrying.size() - 1; i >= 0; i--) {
      if (retrying.get(i).isLeftBehind()) {
        var _ = retrying.remove(i);
      }
    }
    retrying.add(request);
  }

  /**
   * It has been served, or refused.
   *
   * @return whether a discard has been put off and is due now
   */
  boolean removeRetrying(Retry request) {
    var _ = retrying.remove(request);
    settled.signalAll();
    boolean isDue = hasPutOff && !isAwaited();
    hasPutOff &= isAwaited();
    return isDue;
  }

  /**
   * Whether a refusal can not be believed: memory that might have served the thread was claimed
   * during the attempt, or is.
   *
   * @param all whether any memory might, or only what is returned
   * @param countBefore {@link #settledCountRacy} or {@link #returnedCountRacy} just before the
   *     attempt
   */
  boolean isInDoubt(boolean all, long countBefore) {
    return !damage.isNoted()
        && (all
            ? isAny() || countBefore != settledCount.get()
            : isReturning() || countBefore != returnedCount.get());
  }

  /**
   * Waits until nothing is claimed, or some of it has been settled since that count was read, since
   * there may always be another discard; or, of what is returned, until any of it has been settled.
   */
  void awaitSettled(boolean all, long countBefore, long mostNanos) {
    long startNanos = System.nanoTime();
    while (isUnsettled(all, countBefore) && mayWait(startNanos, mostNanos)) {
      if (all) {
        awaitMoment(); // a space has no other lock
      } else {
        awaitMoment(startNanos);
      }
    }
  }

  private boolean isUnsettled(boolean all, long countBefore) {
    return all
        ? isAny() && (isReturning() || settledCount.get() - countBefore < MOST_DISCARDS)
        : isReturning() && countBefore == returnedCount.get();
  }

  /** How much is claimed. */
  @Override
  public String toString() {
    return "discardCount="
        + count(Use.DISCARD)
        + ", pretouchCount="
        + count(Use.PRETOUCH)
        + ", assemblyCount="
        + count(Use.ASSEMBLY)
        + ", loanCount="
        + count(Use.LOAN);
  }
}
