package dev.arenal.elastic;

import dev.arenal.supply.Claim;

/**
 * Memory of a space that is claimed for a discard: claimed under the lock of the space, discarded
 * without it, and settled under it again, also where the kernel refuses.
 */
abstract class DiscardBatch {
  final Claim claim = new Claim();

  /**
   * Whether a thread that is refused waits for it. Not for the undo of a commit: the thread that
   * was refused it does that itself, and would try again for as long as the kernel refuses.
   */
  final boolean isAwaited;

  /** Nothing is claimed. */
  DiscardBatch(boolean isAwaited) {
    this.isAwaited = isAwaited;
  }

  /**
   * Notes what has become of it, under the lock, in the middle of a change; needs no Java heap.
   *
   * @param goneBytes what was committed and is not any more
   */
  abstract void settled(long goneBytes);

  /** Whether all of it has gone. */
  final boolean isGone() {
    return claim.discardedBytes() == claim.totalBytes();
  }
}
