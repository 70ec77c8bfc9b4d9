package dev.arenal.supply;

import org.jspecify.annotations.Nullable;

/**
 * One change of claimed memory: it is claimed under the lock of its owner, the kernel changes it
 * without the lock, and the outcome is settled under it again, whatever happens. Between claim and
 * settlement the memory is neither free nor used.
 *
 * <p>An error is damage, and is noted before another thread has the lock: in {@link #claim} and
 * {@link #settle} something may be half done, a call of the kernel may have been made and not be in
 * the books, and other threads would wait for memory that is never settled. Only a full Java heap
 * is none: it changes nothing in a claim, and is settled like a refusal in a call.
 *
 * <p>Not thread-safe, and performed once. It is made before anything is claimed: from the claim on
 * nothing needs the Java heap.
 */
public abstract class Change {
  private final Claims claims;
  private final Claims.@Nullable Use use;

  /** Whether no thread waits for the memory any more. */
  private boolean isOver;

  /**
   * A change of memory of the owner of those claims.
   *
   * @param use why the memory is claimed; null where no thread waits for it: for an undo, or for
   *     memory that its own thread wants
   */
  protected Change(Claims claims, Claims.@Nullable Use use) {
    this.claims = claims;
    this.use = use;
  }

  /**
   * Claims memory, under the lock. Where it throws because the Java heap is full, or since the
   * owner does not serve, nothing has changed.
   *
   * @return false if there is none
   */
  protected abstract boolean claim();

  /** Has the kernel change the memory, without the lock. */
  protected abstract void call();

  /** Notes the outcome, under the lock. */
  protected abstract void settle();

  /**
   * Does all of it; the lock is not held.
   *
   * @return whether there was something to claim
   */
  public final boolean perform() {
    boolean isClaimed = false;
    try {
      claims.lock.lock();
      try {
        isClaimed = claimNow();
      } finally {
        claims.lock.unlock();
      }
    } catch (Throwable e) {
      if (isClaimed) { // the lock could not be given back in order
        claims.damage.cause = e;
      }
      throw e;
    }
    if (isClaimed) {
      complete();
    }
    return isClaimed;
  }

  /** The first part, for a thread that has the lock: {@link #complete} follows without it. */
  public final boolean claimNow() {
    try {
      boolean isClaimed = claim();
      if (isClaimed && use != null) {
        claims.begin(use);
      }
      return isClaimed;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      claims.damage.cause = e; // before anyone else has the lock
      throw e;
    }
  }

  /** The second part; the lock is not held. */
  public final void complete() {
    try {
      try {
        call();
      } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
        claims.damage.cause = e; // before it is settled
        throw e;
      } finally {
        settleNow();
      }
    } catch (Throwable e) {
      if (!isOver) {
        claims.damage.cause = e;
      }
      throw e;
    }
  }

  private void settleNow() {
    claims.lock.lock();
    try {
      settle();
    } catch (Throwable e) {
      claims.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      try {
        if (use != null) {
          claims.end(use);
        }
        isOver = true;
      } finally {
        claims.lock.unlock(); // also where the stack is at its end
      }
    }
  }
}
