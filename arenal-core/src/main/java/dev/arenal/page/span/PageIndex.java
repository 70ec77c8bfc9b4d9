package dev.arenal.page.span;

import dev.arenal.page.granule.MaxTree;
import dev.arenal.page.granule.PageMemory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap by their first granule, and tournament trees over their longest free ranges:
 * a page is added, removed and found in logarithmic time. Lowest first, so that high pages run
 * empty.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
public final class PageIndex {
  /** Where a range has to be aligned, so many pages are looked at that may have it and do not. */
  private static final int MOST_MISSES = 8;

  /** Holes of the class of a length may be shorter: then a longer one is taken. */
  private static final int MOST_SHORT = 4;

  /**
   * By the number of the first granule, less {@link #base}. The length is a power of two and covers
   * the pages of this heap only: they are few of all granules, and may lie at the end of them.
   */
  private @Nullable HeapPage[] pages = {};

  private int base;

  /** Where there is one. */
  private long[] known = {};

  private int count;

  /** Whether free ranges of its pages are looked for; else there is nothing in the trees. */
  private final boolean hasHoles;

  private MaxTree free = new MaxTree(1);

  /** Of committed ranges. */
  private HoleTree committed = new HoleTree(1);

  /** No pages yet, in which free ranges are looked for, or not. */
  public PageIndex(boolean hasHoles) {
    this.hasHoles = hasHoles;
  }

  /** How many pages there are. */
  public int count() {
    return count;
  }

  /** The lowest page; null if there is none. */
  public @Nullable HeapPage first() {
    return nextFrom(0);
  }

  /** The one above a page. */
  public @Nullable HeapPage next(HeapPage page) {
    return nextFrom(page.position - base + 1);
  }

  private @Nullable HeapPage nextFrom(int index) {
    int next = Bits.nextSet(known, index, pages.length);
    return next == pages.length ? null : pages[next];
  }

  /** The highest page; null if there is none. */
  public @Nullable HeapPage last() {
    return previousFrom(pages.length - 1);
  }

  /** The one below a page, which may just have been removed from there. */
  public @Nullable HeapPage previous(HeapPage page) {
    return lastBelow(page.memory.firstGranule);
  }

  /** The highest page that begins below a granule; null if there is none. */
  public @Nullable HeapPage lastBelow(int granule) {
    return previousFrom(Math.min(granule - base, pages.length) - 1);
  }

  private @Nullable HeapPage previousFrom(int index) {
    int previous = Bits.previousSet(known, index);
    return previous < 0 ? null : pages[previous];
  }

  /** Makes room for a page, which {@link #add} needs no Java heap for then. */
  public void reserve(PageMemory memory) {
    int at = memory.firstGranule;
    int end = base + pages.length;
    int length = Math.max(Long.SIZE, pages.length);
    int first = pages.length == 0 ? at & -Long.SIZE : base;
    while (at < first || at - first >= length) {
      length *= 2;
      first = at < base ? Math.max(0, end - length) : base;
    }
    if (length > pages.length) {
      grow(first, length);
    }
  }

  /** Where the Java heap is full, nothing has changed. */
  private void grow(int first, int length) {
    int before = pages.length == 0 ? 0 : base - first;
    MaxTree largerFree = hasHoles ? free.enlarged(length, before) : free;
    HoleTree largerCommitted = hasHoles ? committed.enlarged(length, before) : committed;
    long[] longerKnown = new long[length >>> 6];
    @Nullable HeapPage[] longer = new @Nullable HeapPage[length];
    System.arraycopy(known, 0, longerKnown, before >>> 6, known.length);
    System.arraycopy(pages, 0, longer, before, pages.length);
    free = largerFree;
    committed = largerCommitted;
    known = longerKnown;
    pages = longer;
    base = first;
  }

  /** Adds a page. */
  public void add(HeapPage page) {
    reserve(page.memory); // first: where the Java heap is full, nothing has changed
    int at = page.memory.firstGranule - base;
    pages[at] = page;
    Bits.set(known, at, at + 1);
    page.position = page.memory.firstGranule;
    count++;
    update(page);
  }

  /** Removes a page, which is there. */
  public void remove(HeapPage page) {
    int at = page.position - base;
    pages[at] = null;
    Bits.clear(known, at, at + 1);
    page.position = -1;
    count--;
    if (hasHoles) {
      free.set(at, 0);
      committed.clear(at);
    }
  }

  /**
   * The best hole of the lowest pages that have one.
   *
   * @param mostPages the number of candidates
   * @return whether there is one
   */
  public boolean findFree(int wantedUnits, int mostPages, BestHole hole) {
    return findFree(wantedUnits, wantedUnits, mostPages, MOST_MISSES, hole)
        || (hole.isAligned()
            // In ranges that are so long that there is an aligned one in each.
            && findFree(
                wantedUnits,
                wantedUnits + hole.alignmentUnits() - 1,
                mostPages,
                MOST_MISSES,
                hole));
  }

  /** The best hole of all pages; it takes a look at each that may have one. */
  public boolean findBest(int wantedUnits, BestHole hole) {
    return findFree(wantedUnits, wantedUnits, Integer.MAX_VALUE, Integer.MAX_VALUE, hole);
  }

  private boolean findFree(
      int wantedUnits, int leastLength, int mostPages, int mostMisses, BestHole hole) {
    hole.clear();
    int foundCount = 0;
    int missedCount = 0;
    int at = free.first(0, leastLength);
    while (at >= 0) {
      HeapPage page = Objects.requireNonNull(pages[at]);
      page.offerFree(wantedUnits, hole);
      update(page); // its bound is lower now
      if (free.get(at) >= leastLength) {
        foundCount += hole.page == null ? 0 : 1;
        missedCount += hole.page == null ? 1 : 0;
      }
      if (foundCount == mostPages || missedCount == mostMisses || hole.isPerfect(wantedUnits)) {
        break;
      }
      at = free.first(at + 1, leastLength);
    }
    return hole.page != null;
  }

  /**
   * A hole that is committed throughout: one of the shortest, to within a thirty-second, in the
   * lowest page that has one. Where a few that may be long enough are not, or have no aligned
   * place, one that has for certain.
   *
   * @return whether there is one; false also where all are left that may be too short
   */
  public boolean findCommitted(int wantedUnits, BestHole hole) {
    hole.clear();
    int sureClass = HoleClasses.surely(wantedUnits + hole.alignmentUnits() - 1);
    int missedCount = 0;
    int holeClass = committed.firstClass(HoleClasses.of(wantedUnits));
    while (holeClass < HoleClasses.COUNT) {
      int goodUnits = HoleClasses.longest(holeClass);
      int at = committed.first(0, holeClass);
      while (at >= 0) {
        Objects.requireNonNull(pages[at]).offerCommitted(wantedUnits, goodUnits, hole);
        if (hole.page != null && hole.length() <= goodUnits) {
          return true;
        }
        hole.clear(); // a longer one of the page: others may be shorter
        missedCount++;
        at = missedCount < MOST_SHORT ? committed.first(at + 1, holeClass) : HoleTree.NONE;
      }
      boolean isTiredOf = missedCount >= MOST_SHORT && holeClass < sureClass;
      holeClass = committed.firstClass(isTiredOf ? sureClass : holeClass + 1);
    }
    return false;
  }

  /** The longest free range of any page, or more. */
  public int longestFree() {
    return free.max();
  }

  /** The longest committed free range of any page, or more. */
  public int longestCommitted() {
    return committed.longestBound();
  }

  /** To be called when the longest free range of a page has changed. */
  public void update(HeapPage page) {
    if (!hasHoles) {
      return;
    }
    free.set(page.position - base, page.longestFree());
    long[] classes = page.holeClasses();
    if (classes != null) {
      committed.set(page.position - base, classes);
    }
  }

  /** INV-PAGE-3. */
  public void verify() {
    free.verify();
    committed.verify();
    int foundCount = 0;
    for (int i = 0; i < pages.length; i++) {
      HeapPage page = pages[i];
      boolean isRight = Bits.get(known, i) == (page != null);
      if (page == null) {
        isRight &= !hasHoles || (free.get(i) == 0 && committed.has(i, null));
      } else {
        foundCount++;
        page.verify();
        boolean isKnown =
            !hasHoles
                || (free.get(i) == page.longestFree() && committed.has(i, page.holeClasses()));
        isRight &= page.position == base + i && page.memory.firstGranule == base + i && isKnown;
      }
      if (!isRight) {
        throw new AssertionError(
            "INV-PAGE-3 index is wrong at position=" + (base + i) + ": " + page);
      }
    }
    if (foundCount != count) {
      throw new AssertionError(
          "INV-PAGE-3 count is wrong: count=" + count + ", found=" + foundCount);
    }
  }
}
