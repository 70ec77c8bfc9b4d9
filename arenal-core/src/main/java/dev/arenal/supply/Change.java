package dev.arenal.supply;

import org.jspecify.annotations.Nullable;

/**
 * One change of claimed memory: it is claimed under the lock of its owner, the kernel changes it
 * without the lock, and the outcome is settled under it again, whatever happens. Between claim and
 * settlement the memory is neither free nor used.
 *
 * <p>An error of {@link #call} is settled like a refusal, and thrown then. One that leaves the
 * memory unsettled is damage, since other threads would wait for it.
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
   * @param use why the memory is claimed; null for an undo of what the kernel has refused, for
   *     which no thread waits
   */
  protected Change(Claims claims, Claims.@Nullable Use use) {
    this.claims = claims;
    this.use = use;
  }

  /**
   * Claims memory, under the lock. Where it throws, nothing has changed, or damage is noted.
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
    boolean isClaimed = claim();
    try {
      if (isClaimed && use != null) {
        claims.begin(use);
      }
    } catch (Throwable e) { // the stack is at its end
      claims.damage.cause = e;
      throw e;
    }
    return isClaimed;
  }

  /** The second part; the lock is not held. */
  public final void complete() {
    try {
      try {
        call();
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
