package dev.arenal.page;

import org.jspecify.annotations.Nullable;

/**
 * The best of the free ranges that were looked at, each at its begin or at its end: the fewest
 * units to be had from the kernel again, then the shortest.
 */
final class BestHole {
  @Nullable HeapPage page;

  /** First unit. */
  int from;

  private int discardedCount;
  private int length;
  private boolean isOfCommittedSearch;

  /** The first unit is a multiple of that, a power of two. */
  private int alignmentUnits = 1;

  /** A search from now on is for units that begin at a multiple of that, a power of two. */
  void alignTo(int units) {
    alignmentUnits = units;
  }

  int alignmentUnits() {
    return alignmentUnits;
  }

  /** The first aligned unit from there. */
  int alignUp(int unit) {
    return (unit + alignmentUnits - 1) & -alignmentUnits;
  }

  /** The last aligned unit up to there. */
  int alignDown(int unit) {
    return unit & -alignmentUnits;
  }

  void clear() {
    clear(false);
  }

  /** Begins a search. */
  void clear(boolean isForCommitted) {
    isOfCommittedSearch = isForCommitted;
    page = null;
    from = 0;
    discardedCount = Integer.MAX_VALUE;
    length = Integer.MAX_VALUE;
  }

  /**
   * Whether it was found in a search for committed ranges, which has left the bounds of its page as
   * they are now. Another search finds committed ones too, of pages it has no such bounds of.
   */
  boolean isOfCommittedSearch() {
    return page != null && isOfCommittedSearch;
  }

  /** Units of the whole range. */
  int length() {
    return length;
  }

  /** Whether no other hole can be better for a number of units. */
  boolean isPerfect(int wantedUnits) {
    return discardedCount == 0 && length == wantedUnits;
  }

  /** Takes it for this one if it is better. */
  void offer(HeapPage offeredPage, int offeredFrom, int discarded, int offeredLength) {
    if (discarded < discardedCount || (discarded == discardedCount && offeredLength < length)) {
      page = offeredPage;
      from = offeredFrom;
      discardedCount = discarded;
      length = offeredLength;
    }
  }
}
