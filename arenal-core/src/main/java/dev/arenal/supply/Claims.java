package dev.arenal.supply;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackSafeLock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How much of the memory of one owner, a space or a page supply, is claimed, and the threads that
 * wait for it. Claimed memory is neither free nor used: a thread has the kernel discard it, or
 * touches it, or puts it together, without the lock of the owner.
 *
 * <p>In a space a refusal is believed only if nothing was claimed from just before the attempt
 * until after it ({@link #retry}). Else the thread waits until what is claimed has been settled,
 * and tries again. In a page supply, where the lock of a heap may be held, a thread waits only for
 * a pretouch and for what is lent ({@link #awaitReturn}). Meanwhile a pretouch claims nothing more,
 * and nothing is discarded by itself, so that claims come to an end. No wait but that of a close is
 * longer than ten seconds; an interrupt does not end it, and is kept; damage does.
 *
 * <p>Guarded by the lock of the owner, which is held by the callers of all methods that do not say
 * otherwise.
 */
@SuppressWarnings("EnumOrdinal") // counts by use
public final class Claims {
  /** Longer than any call of the kernel for one claim. */
  private static final long MOST_WAIT_NANOS = 10_000_000_000L;

  /**
   * How long other threads make way for a thread that tries again: enough for an attempt or two.
   */
  private static final long MOST_WAY_NANOS = 200_000_000;

  /** The thread that is to signal may have come to the end of its stack. */
  private static final long MOMENT_NANOS = 20_000_000;

  /** Discards to wait for: there may always be another one. */
  private static final int MOST_DISCARDS = 8;

  /** Why memory is claimed. */
  public enum Use {
    /** It is discarded: one short call of the kernel. */
    BRIEF,
    /** Claimed by a pretouch. */
    PRETOUCH,
    /** A page is put together from it. */
    ASSEMBLY,
    /** Another owner of the budget makes something of it, or returns it. */
    LOAN
  }

  private final StackSafeLock lock;
  private final Condition settled;
  private final Damage damage;

  /** By the ordinal of the use. */
  private final int[] counts = new int[Use.values().length];

  /** Written under the lock. */
  private final AtomicLong changeCount = new AtomicLong();

  private long settledBriefCount;

  /** Threads that try again; twice, one that does so in a reclaimer that it has called. */
  private final List<Thread> retrying = new ArrayList<>();

  private boolean hasPutOff;

  /** Nothing is claimed. */
  public Claims(StackSafeLock lock, Damage damage) {
    this.lock = lock;
    this.settled = lock.newCondition();
    this.damage = damage;
  }

  // ---- claims ----

  /** Some memory is claimed; needs no Java heap. */
  public void begin(Use use) {
    count(use, 1);
  }

  /** It is free, or used, again; needs no Java heap. */
  public void end(Use use) {
    count(use, -1);
    settledBriefCount += use == Use.BRIEF ? 1 : 0;
    settled.signalAll();
  }

  private void count(Use use, int change) {
    counts[use.ordinal()] += change;
    var _ = changeCount.incrementAndGet();
  }

  /** The number of pieces that are claimed for that use. */
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

  /** Whether a thread may wait for it with the lock of another owner held. */
  private boolean comesBack() {
    return count(Use.PRETOUCH) + count(Use.LOAN) > 0;
  }

  /** The number of claims and settlements; by any thread, which may read an old value. */
  public long changeCountRacy() {
    return changeCount.get();
  }

  /** Wakes up all that wait here: something else has changed. */
  public void signal() {
    settled.signalAll();
  }

  // ---- waiting ----

  /**
   * Waits for memory that is just discarded, but not for a pretouch; takes the lock.
   *
   * @return whether there was any
   */
  public boolean awaitBrief() {
    lock.lock();
    try {
      boolean isBusy = count(Use.BRIEF) > 0;
      long enoughCount = settledBriefCount + MOST_DISCARDS;
      awaitWhile(() -> count(Use.BRIEF) > 0 && settledBriefCount < enoughCount, MOST_WAIT_NANOS);
      return isBusy;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a pretouch, or an owner that has borrowed, has put something back; the lock of
   * another owner may be held, which neither takes.
   *
   * @return whether there was something in its hands, and time left: then the thread tries again,
   *     and is to call {@link #endRetry}, once, when it has been served or refused
   */
  public boolean awaitReturn(long deadlineNanos) {
    if (!comesBack() || damage.isNoted() || System.nanoTime() - deadlineNanos >= 0) {
      return false;
    }
    boolean isFirst = !retrying.contains(Thread.currentThread());
    if (isFirst) {
      beginRetry();
    }
    boolean hasWaited = false;
    try {
      long changes = changeCount.get();
      awaitWhile(() -> changes == changeCount.get(), deadlineNanos - System.nanoTime());
      hasWaited = true;
    } finally {
      if (isFirst && !hasWaited) { // the Java heap is full
        removeRetry();
      }
    }
    return true;
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
      awaitMoment();
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
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    lock.afterWait();
  }

  private void awaitWhile(BooleanSupplier busy, long mostNanos) {
    long startNanos = System.nanoTime();
    while (busy.getAsBoolean() && !damage.isNoted() && System.nanoTime() - startNanos < mostNanos) {
      awaitMoment();
    }
  }

  // ---- trying again ----

  /** Whether a thread tries again, so that nothing is to be claimed. */
  boolean isAwaited() {
    return !retrying.isEmpty();
  }

  /** The same for a discard that no thread waits for, which is put off: see {@link #endRetry}. */
  public boolean putsOff() {
    hasPutOff |= isAwaited();
    return isAwaited();
  }

  /**
   * Waits while others try again: as long as a pretouch or a loan may help them, and a moment else.
   */
  public void makeWay() {
    if (isAwaited() && !retrying.contains(Thread.currentThread())) {
      awaitWhile(() -> isAwaited() && comesBack(), MOST_WAIT_NANOS);
      awaitWhile(this::isAwaited, MOST_WAY_NANOS);
    }
  }

  /** The calling thread tries again what was refused; takes the lock. */
  public void enterRetry() {
    lock.lock();
    try {
      beginRetry();
    } finally {
      lock.unlock();
    }
  }

  /**
   * It has been served, or refused; takes the lock.
   *
   * @return whether a discard has been put off and is due now
   */
  public boolean endRetry() {
    lock.lock();
    try {
      removeRetry();
      boolean isDue = hasPutOff && !isAwaited();
      hasPutOff &= isAwaited();
      return isDue;
    } finally {
      lock.unlock();
    }
  }

  private void beginRetry() {
    retrying.add(Thread.currentThread());
  }

  private void removeRetry() {
    var _ = retrying.remove(Thread.currentThread());
    settled.signalAll();
  }

  /**
   * Tries again what was refused until a refusal can be believed; called without the lock, between
   * {@link #enterRetry} and {@link #endRetry}.
   *
   * @param attempt returns a negative number for a refusal
   * @param refusal what the first attempt returned, which may be a success
   * @param changesBefore {@link #changeCountRacy} just before that attempt
   * @param deadlineNanos after which a refusal is believed in any case
   */
  public long retry(LongSupplier attempt, long refusal, long changesBefore, long deadlineNanos) {
    long result = refusal;
    long changes = changesBefore;
    while (result < 0 && awaitSettled(changes, deadlineNanos)) {
      changes = changeCount.get();
      result = attempt.getAsLong();
    }
    return result;
  }

  /** The time at which tries that begin now end. */
  public static long deadlineNanos() {
    return System.nanoTime() + MOST_WAIT_NANOS;
  }

  /** Waits until nothing is claimed; false if nothing has been since the attempt. */
  private boolean awaitSettled(long changes, long deadlineNanos) {
    lock.lock();
    try {
      boolean isDoubtful = changes != changeCount.get() || isAny();
      long restNanos = deadlineNanos - System.nanoTime();
      if (!isDoubtful || restNanos <= 0) {
        return false;
      }
      awaitWhile(this::isAny, restNanos);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How much is claimed. */
  @Override
  public String toString() {
    return "briefCount="
        + count(Use.BRIEF)
        + ", pretouchCount="
        + count(Use.PRETOUCH)
        + ", assemblyCount="
        + count(Use.ASSEMBLY)
        + ", loanCount="
        + count(Use.LOAN);
  }
}
