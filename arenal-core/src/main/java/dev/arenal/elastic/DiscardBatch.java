package dev.arenal.elastic;

import dev.arenal.supply.Change;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import org.jspecify.annotations.Nullable;

/** Memory of a space that is discarded; the kernel may refuse some of it. */
abstract class DiscardBatch extends Change {
  final Claim ranges = new Claim();
  private final SpaceState space;

  /**
   * Nothing is claimed.
   *
   * @param use as {@link Change} has it; null for the undo of a commit, whose thread tries again
   *     and would take its own undo for memory that is coming back
   */
  DiscardBatch(SpaceState space, Claims.@Nullable Use use) {
    super(space.claims, use);
    this.space = space;
  }

  /** Takes what is to be discarded, under the lock; false if there is none. */
  abstract boolean select();

  /**
   * Notes what has become of it, under the lock; needs no Java heap.
   *
   * @param goneBytes what was committed and is not any more
   */
  abstract void settled(long goneBytes);

  @Override
  protected final boolean claim() {
    boolean isAny = select();
    if (isAny) {
      space.trimmer.claimedBytes += ranges.totalBytes();
    }
    return isAny;
  }

  @Override
  protected final void call() {
    var _ = ranges.discard(space.settings.os(), space.settings.commitMode());
  }

  @Override
  protected final void settle() {
    space.trimmer.claimedBytes -= ranges.totalBytes();
    settled(ranges.settleDiscarded(space.nodes));
    space.counters.uncommitsFailed += isGone() ? 0 : 1;
  }

  /** Whether all of it has gone. */
  final boolean isGone() {
    return ranges.discardedBytes() == ranges.totalBytes();
  }
}
