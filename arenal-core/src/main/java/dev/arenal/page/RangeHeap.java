package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.page.span.BestHole;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.IdleMemory;
import dev.arenal.page.span.SearchDepth;
import org.jspecify.annotations.Nullable;

/**
 * A heap whose pages have holes: free ranges of units, of which the best is taken.
 *
 * <p>Guarded by the lock of the heap, but for {@link #mayHave}.
 */
abstract sealed class RangeHeap extends LockedHeap permits SmallHeap, MediumHeap {
  private final int unitShift;

  /** Among the holes of so many pages the best is taken, where memory has to be committed. */
  private final int pagesCompared;

  /** The hole that was found last. */
  final BestHole hole = new BestHole();

  /** A bound of the longest free range in units, written under the lock. */
  private volatile int longestFree;

  /** The same for committed ranges. */
  private volatile int longestCommitted;

  RangeHeap(PageContext context, int owner, int age, int unitBytes, int pagesCompared) {
    super(context, owner, age, true);
    this.unitShift = Integer.numberOfTrailingZeros(unitBytes);
    this.pagesCompared = pagesCompared;
  }

  /** Units of so many bytes; one for nothing. */
  final int unitsOf(long sizeBytes) {
    return (int) ((Math.max(1, sizeBytes) + (1L << unitShift) - 1) >>> unitShift);
  }

  /** Whether there may be so long a range; a recent value, without the lock. */
  final boolean mayHave(int units, SearchDepth depth) {
    return (depth.mayRecommit() ? longestFree : longestCommitted) >= units;
  }

  /**
   * A buffer in a free range; the lock is held.
   *
   * @param depth where it may be
   * @return null where there is no room, or budget or kernel refuse
   */
  final @Nullable PageBuffer allocateRange(
      int units, int alignmentUnits, long sizeBytes, SearchDepth depth) {
    try {
      HeapPage page = pageWith(units, alignmentUnits, depth);
      if (page == null) {
        publishLongest(); // the bounds have become exact
        return null;
      }
      int from = hole.from();
      int to = from + units;
      PageBuffer buffer = null;
      page.take(from, to);
      page.retainPart();
      try {
        if (!page.isDiscarded(from, to) || recommit(page, from, to)) {
          boolean mustZero = page.markDirty(from, to) && isZeroed;
          buffer = buffer(page, from, units, page.addressOf(from), sizeBytes, mustZero);
        }
      } finally {
        if (buffer == null) { // refused, or the Java heap is full
          restore(page, from, to);
        }
      }
      if (buffer != null) {
        update(page);
        countAllocated(sizeBytes);
      }
      return buffer;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    }
  }

  /** The same; the lock is held, and not afterwards. */
  final @Nullable PageBuffer allocateUnlocking(
      int units, int alignmentUnits, long sizeBytes, SearchDepth depth) {
    try {
      drain();
      return serves() ? allocateRange(units, alignmentUnits, sizeBytes, depth) : null;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** A page with so many free units in a row, at the {@link #hole}; null if there is none. */
  @Nullable HeapPage pageWith(int units, int alignmentUnits, SearchDepth depth) {
    hole.alignTo(alignmentUnits);
    return pages.findCommitted(units, hole) || (depth.mayRecommit() && findFree(units, depth))
        ? requireNonNull(hole.page())
        : null;
  }

  private boolean findFree(int units, SearchDepth depth) {
    if (depth == SearchDepth.EVERYWHERE && hole.isAligned()) {
      return pages.findBest(units, hole);
    }
    return pages.findFree(units, pagesCompared, hole);
  }

  /** To be called when the free ranges of a page have changed. */
  final void update(HeapPage page) {
    pages.update(page);
    publishLongest();
  }

  final void publishLongest() {
    longestFree = pages.longestFree();
    longestCommitted = pages.longestCommitted();
  }

  @Override
  final void collect(IdleMemory idle) {
    for (HeapPage page = pages.lastBelow(idle.belowGranule());
        page != null && idle.goesOn();
        page = pages.previous(page)) {
      idle.begin(page);
      collect(idle, page);
      update(page);
    }
  }

  /** Takes free memory of one page for a batch. */
  void collect(IdleMemory idle, HeapPage page) {
    idle.collectUnits(page);
  }
}
