package dev.arenal.supply;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.touch.TouchNeed;
import dev.arenal.touch.TouchPart;
import dev.arenal.touch.TouchRun;
import dev.arenal.touch.TouchSource;
import dev.arenal.touch.Toucher;
import org.jspecify.annotations.Nullable;

/**
 * One pretouch of an owner, a space or a page supply: a sweep over memory that is not in use. Each
 * part is claimed under the lock of the owner, touched without it, and settled under it again.
 *
 * <p>The owner says what is claimed next and what becomes of it. The sweep makes way for threads
 * that want memory, knows the parts that are claimed, settles each of them once, keeps the floor,
 * and undoes a run that fails. An error in the middle of a settlement is damage.
 */
public abstract class FreePretouch implements TouchSource {
  private final Claims claims;

  /** The first of the parts that are claimed: one for each thread at most. */
  private @Nullable Part claimed;

  /** Whether all memory has had its turn. Written under the lock; also read without it. */
  protected boolean isAtEnd;

  /** Free memory that a thread has claimed. */
  protected abstract class Part implements TouchPart {
    private @Nullable Part next;

    /** Written under the lock. */
    private volatile boolean isClaimed;

    /** Claimed by {@link FreePretouch#claim}, which returns it. */
    protected Part() {}

    /** Makes it accessible where it is not, and touches it; no lock is held. */
    protected abstract int touchClaimed(Toucher toucher);

    /** Puts it where it belongs; under the lock, once, and without the Java heap. */
    protected abstract void release();

    @Override
    public final int touch(Toucher toucher) {
      return isClaimed ? touchClaimed(toucher) : -Errno.ECANCELED; // it has been undone
    }

    @Override
    public final void settle() {
      claims.lock.lock();
      try {
        if (isClaimed) {
          settleClaimed(this);
        }
      } finally {
        claims.lock.unlock();
      }
    }
  }

  /** A sweep over the free memory of the owner of these claims. */
  protected FreePretouch(Claims claims) {
    this.claims = claims;
  }

  /**
   * The need of a pretouch, with the figures of the budget as they are now.
   *
   * @param newBytes to be committed newly, and to become resident
   * @param addressBytes to be reserved for it
   */
  public static TouchNeed need(Budget budget, CommitMode mode, long newBytes, long addressBytes) {
    return new TouchNeed(
        newBytes,
        mode == CommitMode.PROTECT ? newBytes : 0,
        addressBytes,
        budget.name(),
        newBytes,
        budget.limitBytes(),
        budget.committedBytes());
  }

  // ---- what the owner says ----

  /** Begins, with no lock held; returns the bytes that are to be touched, as far as is known. */
  protected abstract long begin();

  /**
   * Claims the next part, under the lock. Where it throws, nothing has changed, or damage is noted.
   *
   * @return null if it is at the end, or if this was a step without a part
   * @throws OutOfMemoryError if budget or kernel refuse
   */
  protected abstract @Nullable Part claim(long mostBytes);

  /** Gives back what it has committed and is still free, again as well; no lock is held. */
  protected abstract void discardCommitted();

  /** It is over; no lock is held. Does nothing by default. */
  protected void end() {}

  // ---- the sweep ----

  /**
   * Touches what is free; the caller has asked whether the memory is there.
   *
   * @param floorBytes nothing goes back by itself below it, unless this fails
   * @throws OutOfMemoryError if budget or kernel refuse, or memory vanishes; what it took has gone
   *     back
   */
  public final PretouchReport run(TouchRun run, Floor floor, long floorBytes) {
    long floorBefore = Long.MAX_VALUE;
    PretouchReport report = null;
    try {
      floorBefore = floor.raise(floorBytes);
      report = run.run(this, begin());
    } catch (Throwable e) {
      undoAfter(e); // again, if the run itself has ended unexpectedly
      throw e;
    } finally {
      try {
        if (report == null) {
          floor.lower(floorBefore);
        }
        end();
      } catch (StackOverflowError e) {
        claims.damage.cause = e;
      }
    }
    return report;
  }

  private void undoAfter(Throwable trouble) {
    try {
      undo();
    } catch (StackOverflowError e) {
      claims.damage.cause = e;
    } catch (RuntimeException | Error e) { // why it has failed matters more
      if (claimed != null) {
        claims.damage.cause = e; // nobody settles what is left
      }
      if (!e.equals(trouble)) {
        trouble.addSuppressed(e);
      }
    }
  }

  @Override
  public final @Nullable TouchPart next(long mostBytes) {
    Part part = null;
    while (part == null && !isAtEnd) { // others have the lock between two steps
      claims.lock.lock();
      try {
        claims.makeWay();
        claims.damage.check();
        part = claim(mostBytes);
        if (part != null) { // without a call, which may need more stack than there is
          part.next = claimed;
          part.isClaimed = true;
          claimed = part;
        }
      } finally {
        claims.lock.unlock();
      }
    }
    return part;
  }

  /** The lock is held. */
  private void settleClaimed(Part part) {
    try {
      part.isClaimed = false;
      unlink(part);
      part.release();
    } catch (Throwable e) {
      claims.damage.cause = e; // before anyone else has the lock
      throw e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same range may be claimed again
  private void unlink(Part part) {
    if (claimed == part) {
      claimed = part.next;
      return;
    }
    for (Part at = claimed; at != null; at = at.next) {
      if (at.next == part) {
        at.next = part.next;
        return;
      }
    }
  }

  @Override
  public final void undo() {
    claims.lock.lock();
    try {
      for (Part part = claimed; part != null; part = claimed) {
        settleClaimed(part);
      }
    } finally {
      claims.lock.unlock();
    }
    discardCommitted();
  }
}
