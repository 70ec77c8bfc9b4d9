package dev.arenal.supply;

import dev.arenal.events.MemoryEvents;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * A change that gives committed memory back to the kernel, which may refuse some of it. The calls,
 * the books of the reservations and the event are here; its owner says which memory it is, and what
 * becomes of it.
 */
public abstract class Discard extends Change {
  /**
   * The owner of memory that goes back, a space or a page supply.
   *
   * @param kind of the owner, as events have it
   * @param name of the owner
   * @param mode how its memory is committed
   * @param reservations in which its memory lies
   * @param claims its claims
   */
  public record Owner(
      String kind,
      String name,
      OperatingSystem os,
      CommitMode mode,
      Claim.Reservations reservations,
      Claims claims) {}

  /** The memory; its owner adds to it in {@link #claim}, or before. */
  protected final Claim ranges;

  private final Owner owner;

  /**
   * A discard of no memory yet.
   *
   * @param use as {@link Change} has it; null for the undo of a commit, whose thread tries again
   *     and would take its own undo for memory that is coming back
   */
  protected Discard(Owner owner, Claims.@Nullable Use use) {
    this(owner, use, new Claim());
  }

  /** A discard of memory that is known, as far as it is claimed. */
  protected Discard(Owner owner, Claims.@Nullable Use use, Claim ranges) {
    super(owner.claims, use);
    this.owner = owner;
    this.ranges = ranges;
  }

  /**
   * Notes what has become of it, under the lock; needs no Java heap.
   *
   * @param goneBytes what was committed and is not any more
   */
  protected abstract void settled(long goneBytes);

  @Override
  protected final void call() {
    var _ = ranges.discard(owner.os, owner.mode);
  }

  @Override
  protected final void settle() {
    settled(ranges.settleDiscarded(owner.reservations));
  }

  /**
   * Does all of it, as an event of the flight recorder; the lock is not held.
   *
   * @return whether there was something to discard
   */
  public final boolean discard() {
    MemoryEvents.Uncommit event = MemoryEvents.beginUncommit(); // before anything is claimed
    boolean isAny = perform();
    if (event != null && isAny && !isEmpty()) {
      tell(event);
    }
    return isAny;
  }

  /** It is complete, also where the Java heap is too full to tell of it. */
  private void tell(MemoryEvents.Uncommit event) {
    try {
      event.end(owner.kind, owner.name, ranges.totalBytes(), goneBytes());
    } catch (OutOfMemoryError e) {
      return;
    }
  }

  /** Bytes that have gone back. */
  public final long goneBytes() {
    return ranges.discardedBytes();
  }

  /** Bytes that the kernel has refused to take. */
  public final long refusedBytes() {
    return ranges.totalBytes() - goneBytes();
  }

  /** Whether there was nothing in it for the kernel to take. */
  public final boolean isEmpty() {
    return ranges.totalBytes() == 0;
  }

  /** Whether all of it has. */
  public final boolean isGone() {
    return goneBytes() == ranges.totalBytes();
  }
}
