package dev.arenal.elastic;

import dev.arenal.supply.Claims;
import dev.arenal.supply.Discard;
import org.jspecify.annotations.Nullable;

/** A discard in the books of a space, whose claimed bytes still count as committed. */
abstract class SpaceDiscard extends Discard {
  private final SpaceState space;

  /** Nothing is claimed. */
  SpaceDiscard(SpaceState space, Claims.@Nullable Use use) {
    super(space.discards, use);
    this.space = space;
  }

  /** Takes what is to be discarded, under the lock; false if there is none. */
  abstract boolean select();

  /** As {@link #settled} has it, for what was selected. */
  abstract void noteGone(long goneBytes);

  @Override
  protected final boolean claim() {
    boolean isAny = select();
    if (isAny) {
      space.trimmer.claimedBytes += ranges.totalBytes();
    }
    return isAny;
  }

  @Override
  protected final void settled(long goneBytes) {
    space.trimmer.claimedBytes -= ranges.totalBytes();
    noteGone(goneBytes);
    space.counters.uncommitsFailed += isGone() ? 0 : 1;
  }
}
