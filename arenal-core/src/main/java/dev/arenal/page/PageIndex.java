package dev.arenal.page;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap by address, and tournament trees over their longest free ranges: the lowest
 * pages with room are found in logarithmic time. Lowest first, so that high pages run empty.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
final class PageIndex {
  private @Nullable HeapPage[] pages = new @Nullable HeapPage[8];
  private int count;
  private final MaxTree free = new MaxTree();

  /** Of what is committed. */
  private final MaxTree kept = new MaxTree();

  int count() {
    return count;
  }

  HeapPage get(int position) {
    return Objects.requireNonNull(pages[position]);
  }

  /** Makes room for a number of pages more, so that {@link #add} needs no Java heap. */
  void reserve(int countMore) {
    free.reserve(count + countMore);
    kept.reserve(count + countMore);
    if (count + countMore > pages.length) {
      pages = Arrays.copyOf(pages, 2 * (count + countMore));
    }
  }

  /** Adds a page; costs time in the number of pages. */
  void add(HeapPage page) {
    reserve(1); // first: where the Java heap is full, nothing has changed
    int at = count;
    while (at > 0 && get(at - 1).memory.address > page.memory.address) {
      pages[at] = pages[at - 1];
      at--;
    }
    pages[at] = page;
    count++;
    rebuild();
  }

  /** Removes a page; costs time in the number of pages. */
  void remove(HeapPage page) {
    int at = page.position;
    System.arraycopy(pages, at + 1, pages, at, count - at - 1);
    pages[--count] = null;
    page.position = -1;
    rebuild();
  }

  /**
   * The best hole of the lowest pages that have one.
   *
   * @param mostPages the number of candidates
   * @return whether there is one
   */
  boolean findFree(int wantedUnits, int mostPages, Hole hole) {
    return find(free, wantedUnits, mostPages, hole);
  }

  /** The same, committed throughout. */
  boolean findKept(int wantedUnits, int mostPages, Hole hole) {
    return find(kept, wantedUnits, mostPages, hole);
  }

  @SuppressWarnings("ReferenceEquality") // of trees
  private boolean find(MaxTree tree, int wantedUnits, int mostPages, Hole hole) {
    hole.clear();
    int countFound = 0;
    int at = tree.first(0, wantedUnits);
    while (at >= 0) {
      HeapPage page = get(at);
      if (tree == kept) {
        page.offerKept(wantedUnits, hole);
      } else {
        page.offerFree(wantedUnits, hole);
      }
      update(page); // the bound is exact now
      if (tree.get(at) >= wantedUnits) {
        countFound++;
      }
      if (countFound == mostPages || hole.isPerfect(wantedUnits)) {
        break;
      }
      at = tree.first(at + 1, wantedUnits);
    }
    return hole.page != null;
  }

  /** The longest free range of any page, or more. */
  int longestFree() {
    return free.max();
  }

  /** The longest committed free range of any page, or more. */
  int longestKept() {
    return kept.max();
  }

  /** To be called when the longest free range of a page has changed. */
  void update(HeapPage page) {
    free.set(page.position, page.longestFree());
    kept.set(page.position, page.longestKept());
  }

  private void rebuild() {
    free.clear();
    kept.clear();
    for (int i = 0; i < count; i++) {
      HeapPage page = get(i);
      page.position = i;
      free.put(i, page.longestFree());
      kept.put(i, page.longestKept());
    }
    free.settle();
    kept.settle();
  }

  /** INV-PAGE-3. */
  void verify() {
    free.verify();
    kept.verify();
    for (int i = 0; i < count; i++) {
      HeapPage page = get(i);
      page.verify();
      boolean isSorted = i == 0 || get(i - 1).memory.address < page.memory.address;
      boolean isKnown = free.get(i) == page.longestFree() && kept.get(i) == page.longestKept();
      if (page.position != i || !isKnown || !isSorted) {
        throw new AssertionError("INV-PAGE-3 index is wrong at position=" + i + ": " + page);
      }
    }
  }
}
