package dev.arenal.supply;

import dev.arenal.reserve.Ledger;

/**
 * A request for memory that was refused, and that its thread tries again while claimed memory may
 * serve it.
 *
 * <p>A refusal is believed only if none of the memory that is waited for was claimed from just
 * before the attempt until after it. A thread in a space waits for all claimed memory, for ten
 * seconds at most. A thread in a page supply may hold the lock of a heap: it waits only for what a
 * pretouch has in hand, or another owner, which take none, and for 0.3 seconds at most. A refusal
 * of an owner that is damaged is believed.
 *
 * <p>From its first wait until it is served or refused, {@link Claims} knows the thread: others
 * make way for it, and put off what nobody waits for.
 *
 * <p>A {@code Retry} is made at the first refusal, so that a request that is served at once costs
 * no object.
 */
public abstract class Retry {
  /** Of refusals that were in doubt for discards alone: other arenas may go on without end. */
  private static final int MOST_ROUNDS = 16;

  private final Claims claims;
  private final boolean awaitsAll;
  private final long mostNanos;
  private final long deadlineNanos;
  private final Thread thread = Thread.currentThread();

  /** Of settlements, just before the last attempt. */
  private long countBefore;

  private boolean isKnown;
  private boolean isPutOffDue;
  private int roundCount;

  /**
   * A request that has just been refused.
   *
   * @param awaitsAll whether all claimed memory is waited for, or only what a pretouch or another
   *     owner has in hand
   * @param countBefore {@link Claims#settledCountRacy} or {@link Claims#returnedCountRacy} just
   *     before the attempt that was refused
   */
  protected Retry(Claims claims, boolean awaitsAll, long countBefore) {
    this(
        claims,
        awaitsAll,
        countBefore,
        awaitsAll ? Claims.MOST_WAIT_NANOS : claims.mostReturnNanos);
  }

  Retry(Claims claims, boolean awaitsAll, long countBefore, long mostNanos) {
    this.claims = claims;
    this.awaitsAll = awaitsAll;
    this.countBefore = countBefore;
    this.mostNanos = mostNanos;
    this.deadlineNanos = System.nanoTime() + mostNanos;
  }

  /**
   * Tries once more, without the lock of the owner.
   *
   * @return whether that is the end: served, or refused for another reason
   */
  protected abstract boolean attempt();

  /** Whether what is claimed may be enough; under the lock of the owner. */
  protected boolean isWorthIt() {
    return true;
  }

  /**
   * Asks others for memory when a refusal can be believed, and again, a few times, as long as that
   * is refused, too, although there may be more; without the lock of the owner.
   *
   * @return whether there may be more now
   */
  protected boolean askOthers(boolean isFirst) {
    return false;
  }

  /** A discard that was put off for threads that tried again is due; without the lock. */
  protected void discardPutOff() {}

  /** Tries again until the thread is served, or a refusal can be believed; without the lock. */
  public final void run() {
    try {
      boolean isOver = false;
      int askedCount = 0;
      long startNanos = 0;
      while (!isOver) {
        if (!awaitClaimed()) {
          startNanos = askedCount == 0 ? System.nanoTime() : startNanos;
          if (!Ledger.mayAskAgain(askedCount, startNanos) || !askOthers(askedCount == 0)) {
            return;
          }
          askedCount++;
        }
        countBefore = awaitsAll ? claims.settledCountRacy() : claims.returnedCountRacy();
        isOver = attempt();
      }
    } finally {
      leaveForNow();
      if (isPutOffDue) {
        discardPutOff();
      }
    }
  }

  /** Nanoseconds until the deadline; 0 if it has passed. */
  protected final long restNanos() {
    return Math.max(0, deadlineNanos - System.nanoTime());
  }

  /** Whether the calling thread tries it. */
  @SuppressWarnings("ReferenceEquality") // the thread itself is meant
  boolean isOfThisThread() {
    return thread == Thread.currentThread();
  }

  /**
   * Whether it has lasted for so long that its thread must have ended without a word, at the end of
   * its stack: then no other one makes way for it any more.
   */
  boolean isLeftBehind() {
    return System.nanoTime() - deadlineNanos > mostNanos;
  }

  /** Waits for claimed memory; false if the refusal can be believed, or time is up. */
  private boolean awaitClaimed() {
    claims.lock.lock();
    try {
      long restNanos = restNanos();
      boolean isEnough = ++roundCount > MOST_ROUNDS && !claims.isReturning();
      if (isEnough || restNanos == 0 || !claims.isInDoubt(awaitsAll, countBefore) || !isWorthIt()) {
        return false;
      }
      enter();
      claims.awaitSettled(awaitsAll, countBefore, restNanos);
      return true;
    } finally {
      claims.lock.unlock();
    }
  }

  /** From now on, until the end, others make way for the thread; takes the lock. */
  protected final void enter() {
    claims.lock.lock();
    try {
      if (!isKnown) {
        claims.addRetrying(this); // changes nothing where the Java heap is full
        isKnown = true;
      }
    } finally {
      claims.lock.unlock();
    }
  }

  /** Others need not make way any more, until it waits again. */
  protected final void leaveForNow() {
    isPutOffDue |= isKnown && leave();
    isKnown = false;
  }

  private boolean leave() {
    claims.lock.lock();
    try {
      return claims.removeRetrying(this);
    } finally {
      claims.lock.unlock();
    }
  }
}
