package dev.arenal.page.span;

import org.jspecify.annotations.Nullable;

/**
 * The best of the free ranges that were looked at, each at its begin or at its end: the fewest
 * units to be had from the kernel again, then the shortest.
 */
public final class BestHole {
  @Nullable HeapPage page;

  /** First unit. */
  int from;

  private int discardedCount;
  private int length;

  /** The first unit is a multiple of that, a power of two. */
  private int alignmentUnits = 1;

  /** The page of the best one; null if none was offered. */
  public @Nullable HeapPage page() {
    return page;
  }

  /** Its first unit. */
  public int from() {
    return from;
  }

  /** A search from now on is for units that begin at a multiple of that, a power of two. */
  public void alignTo(int units) {
    alignmentUnits = units;
  }

  /** Whether the first unit cannot be any. */
  public boolean isAligned() {
    return alignmentUnits > 1;
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

  /** Begins a search. */
  public void clear() {
    page = null;
    from = 0;
    discardedCount = Integer.MAX_VALUE;
    length = Integer.MAX_VALUE;
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
