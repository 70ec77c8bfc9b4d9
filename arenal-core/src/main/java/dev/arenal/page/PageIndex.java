package dev.arenal.page;

import dev.arenal.page.granule.MaxTree;
import dev.arenal.page.granule.PageMemory;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap by their first granule, and tournament trees over their longest free ranges:
 * a page is added, removed and found in logarithmic time. Lowest first, so that high pages run
 * empty.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
final class PageIndex {
  /** Where a range has to be aligned, so many pages are looked at that may have it and do not. */
  private static final int MOST_MISSES = 8;

  /** By the number of the first granule. */
  private @Nullable HeapPage[] pages = new @Nullable HeapPage[Long.SIZE];

  /** Where there is one. */
  private long[] known = Bits.ofSize(Long.SIZE);

  private int count;
  private final MaxTree free = new MaxTree(8);

  /** Of committed ranges. */
  private final MaxTree committed = new MaxTree(8);

  int count() {
    return count;
  }

  /** The lowest page; null if there is none. */
  @Nullable HeapPage first() {
    return nextFrom(0);
  }

  /** The one above a page. */
  @Nullable HeapPage next(HeapPage page) {
    return nextFrom(page.position + 1);
  }

  private @Nullable HeapPage nextFrom(int granule) {
    int next = Bits.nextSet(known, granule, pages.length);
    return next == pages.length ? null : pages[next];
  }

  /** The highest page; null if there is none. */
  @Nullable HeapPage last() {
    return previousFrom(pages.length - 1);
  }

  /** The one below a page, which may just have been removed from there. */
  @Nullable HeapPage previous(HeapPage page) {
    return previousFrom(page.memory.firstGranule - 1);
  }

  private @Nullable HeapPage previousFrom(int granule) {
    int previous = Bits.previousSet(known, granule);
    return previous < 0 ? null : pages[previous];
  }

  /** Makes room for a page, which {@link #add} needs no Java heap for then. */
  void reserve(PageMemory memory) {
    int length = memory.firstGranule + 1;
    free.reserve(length);
    committed.reserve(length);
    if (length > pages.length) {
      int longer = Integer.highestOneBit(2 * length - 1);
      long[] more = Arrays.copyOf(known, longer >>> 6); // a multiple of 64
      pages = Arrays.copyOf(pages, longer);
      known = more;
    }
  }

  void add(HeapPage page) {
    reserve(page.memory); // first: where the Java heap is full, nothing has changed
    int at = page.memory.firstGranule;
    pages[at] = page;
    Bits.set(known, at, at + 1);
    page.position = at;
    count++;
    update(page);
  }

  void remove(HeapPage page) {
    int at = page.position;
    pages[at] = null;
    Bits.clear(known, at, at + 1);
    page.position = -1;
    count--;
    free.set(at, 0);
    committed.set(at, 0);
  }

  /**
   * The best hole of the lowest pages that have one.
   *
   * @param mostPages the number of candidates
   * @return whether there is one
   */
  boolean findFree(int wantedUnits, int mostPages, BestHole hole) {
    return find(free, wantedUnits, wantedUnits, mostPages, hole)
        || (hole.alignmentUnits() > 1 && findSurely(free, wantedUnits, mostPages, hole));
  }

  /** The same, committed throughout. */
  boolean findCommitted(int wantedUnits, int mostPages, BestHole hole) {
    return find(committed, wantedUnits, wantedUnits, mostPages, hole)
        || (hole.alignmentUnits() > 1 && findSurely(committed, wantedUnits, mostPages, hole));
  }

  /** In ranges that are so long that there is an aligned one in each. */
  private boolean findSurely(MaxTree tree, int wantedUnits, int mostPages, BestHole hole) {
    return find(tree, wantedUnits, wantedUnits + hole.alignmentUnits() - 1, mostPages, hole);
  }

  @SuppressWarnings("ReferenceEquality") // of trees
  private boolean find(
      MaxTree tree, int wantedUnits, int leastLength, int mostPages, BestHole hole) {
    hole.clear(tree == committed);
    int foundCount = 0;
    int missedCount = 0;
    int at = tree.first(0, leastLength);
    while (at >= 0) {
      HeapPage page = Objects.requireNonNull(pages[at]);
      if (tree == committed) {
        page.offerCommitted(wantedUnits, hole);
      } else {
        page.offerFree(wantedUnits, hole);
      }
      update(page); // its bound is lower now
      if (tree.get(at) >= leastLength) {
        foundCount += hole.page == null ? 0 : 1;
        missedCount += hole.page == null ? 1 : 0;
      }
      if (foundCount == mostPages || missedCount == MOST_MISSES || hole.isPerfect(wantedUnits)) {
        break;
      }
      at = tree.first(at + 1, leastLength);
    }
    return hole.page != null;
  }

  /** The longest free range of any page, or more. */
  int longestFree() {
    return free.max();
  }

  /** The longest committed free range of any page, or more. */
  int longestCommitted() {
    return committed.max();
  }

  /** To be called when the longest free range of a page has changed. */
  void update(HeapPage page) {
    free.set(page.position, page.longestFree());
    committed.set(page.position, page.longestCommitted());
  }

  /** INV-PAGE-3. */
  void verify() {
    free.verify();
    committed.verify();
    int foundCount = 0;
    for (int i = 0; i < pages.length; i++) {
      HeapPage page = pages[i];
      boolean isRight = Bits.get(known, i) == (page != null);
      if (page == null) {
        isRight &= free.getOrZero(i) == 0 && committed.getOrZero(i) == 0;
      } else {
        foundCount++;
        page.verify();
        boolean isKnown =
            free.get(i) == page.longestFree() && committed.get(i) == page.longestCommitted();
        isRight &= page.position == i && page.memory.firstGranule == i && isKnown;
      }
      if (!isRight) {
        throw new AssertionError("INV-PAGE-3 index is wrong at position=" + i + ": " + page);
      }
    }
    if (foundCount != count) {
      throw new AssertionError(
          "INV-PAGE-3 count is wrong: count=" + count + ", found=" + foundCount);
    }
  }
}
