package dev.arenal.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Those that were refused memory while some of it was neither free nor anybody's, and try again.
 *
 * <p>A refusal is believed if nothing was moving from just before the attempt until after it. A
 * thread that tries again is known here: meanwhile a pretouch claims nothing and nothing is trimmed
 * by itself, so that what moves comes to rest. All waits end. Guarded by the lock of the space.
 */
final class Retries {
  /** Longer than any call of the kernel for one batch or one piece. */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** So long others make room for those that try again: enough for an attempt or two. */
  private static final long MOST_WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** The thread that is to signal may have come to the end of its stack. */
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Batches to wait for: there may always be another one on its way. */
  private static final int MOST_RETURNS = 8;

  private final SpaceState space;

  /** Threads that try again; twice, one that does so in a reclaimer that it has called. */
  private final List<Thread> threads = new ArrayList<>();

  /** Written under the lock. */
  private final AtomicLong countMoves = new AtomicLong();

  private long countReturns;
  private boolean hasPutOff;

  Retries(SpaceState space) {
    this.space = space;
  }

  // ---- what moves ----

  /** How often something has left the free chunks for a while, or has come back; by any thread. */
  long countMoves() {
    return countMoves.get();
  }

  /** Something is neither free nor anybody's from now on, or is again; under the lock. */
  void noteMoved() {
    var _ = countMoves.incrementAndGet();
  }

  /** A batch is back from the kernel; under the lock. */
  void noteReturned() {
    noteMoved();
    countReturns++;
    space.returned.signalAll();
  }

  /** Whether somebody tries again, so that nothing is to be claimed or trimmed; under the lock. */
  boolean isAny() {
    return !threads.isEmpty();
  }

  /** The same for what would be trimmed by itself, which is done later then; under the lock. */
  boolean putsOff() {
    hasPutOff |= isAny();
    return isAny();
  }

  /**
   * Waits a moment while others try again, and as long as they wait for what is claimed; under the
   * lock.
   */
  void giveWay() {
    if (isAny() && !threads.contains(Thread.currentThread())) {
      awaitWhile(() -> isAny() && space.pretouch.claimedBytes() > 0, MOST_WAIT_NANOS);
      awaitWhile(this::isAny, MOST_WAY_NANOS);
    }
  }

  /**
   * Waits for memory on its way to the kernel, but not for what a pretouch has claimed; without the
   * lock.
   *
   * @return whether there was any
   */
  boolean awaitReturned() {
    space.lock.lock();
    try {
      long countEnough = countReturns + MOST_RETURNS;
      boolean busy = isAnyOnItsWay();
      awaitWhile(() -> isAnyOnItsWay() && countReturns < countEnough, MOST_WAIT_NANOS);
      return busy;
    } finally {
      space.lock.unlock();
    }
  }

  private boolean isAnyOnItsWay() {
    return space.trimmer.inTransitBytes() > space.pretouch.claimedBytes()
        || space.touchAhead.isBusy();
  }

  private boolean isMoving() {
    return space.trimmer.inTransitBytes() > 0 || space.touchAhead.isBusy();
  }

  // ---- trying again ----

  /**
   * Tries again what was refused until a refusal can be believed; then once more after the others
   * of the budget have given back what they can do without. Without the lock.
   *
   * @param movesBefore {@link #countMoves} just before the attempt that was refused
   */
  long retry(LongSupplier attempt, long refusal, long movesBefore) {
    long deadlineNanos = System.nanoTime() + MOST_WAIT_NANOS;
    begin();
    try {
      long result = settled(attempt, refusal, movesBefore, deadlineNanos);
      if (result < 0
          && result != SpaceState.NO_ADDRESSES
          && result != SpaceState.NO_HEAP
          && space.settings.budget().reclaim() > 0) {
        long moves = countMoves();
        result = settled(attempt, attempt.getAsLong(), moves, deadlineNanos);
      }
      return result;
    } finally {
      end();
    }
  }

  private long settled(LongSupplier attempt, long refusal, long movesBefore, long deadlineNanos) {
    long result = refusal;
    long moves = movesBefore;
    while (result < 0 && hasMovedSince(moves) && System.nanoTime() - deadlineNanos < 0) {
      awaitRest(deadlineNanos);
      moves = countMoves();
      result = attempt.getAsLong();
    }
    return result;
  }

  private boolean hasMovedSince(long moves) {
    space.lock.lock();
    try {
      return moves != countMoves() || isMoving();
    } finally {
      space.lock.unlock();
    }
  }

  private void awaitRest(long deadlineNanos) {
    space.lock.lock();
    try {
      awaitWhile(this::isMoving, deadlineNanos - System.nanoTime());
    } finally {
      space.lock.unlock();
    }
  }

  private void begin() {
    space.lock.lock();
    try {
      threads.add(Thread.currentThread());
    } finally {
      space.lock.unlock();
    }
  }

  private void end() {
    boolean trim;
    space.lock.lock();
    try {
      var _ = threads.remove(Thread.currentThread());
      trim = hasPutOff && !isAny();
      hasPutOff &= isAny();
      space.returned.signalAll();
    } finally {
      space.lock.unlock();
    }
    if (trim) {
      space.trimmer.trimExcess();
    }
  }

  /** Waits for a while at most, interrupted or not: a refusal must not come from that. */
  private void awaitWhile(BooleanSupplier busy, long mostNanos) {
    long restNanos = mostNanos;
    boolean interrupted = false;
    long deadlineNanos = System.nanoTime() + mostNanos;
    while (restNanos > 0 && busy.getAsBoolean() && !space.damage.isNoted()) {
      try {
        var _ = space.returned.awaitNanos(Math.min(restNanos, MOMENT_NANOS));
        space.lock.look();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      restNanos = deadlineNanos - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
