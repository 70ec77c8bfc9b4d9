package dev.arenal.page;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a heap by address, and a tournament tree over their longest free ranges: the lowest
 * page with room is found in logarithmic time. Lowest first, so that high pages run empty.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
final class PageIndex {
  private @Nullable HeapPage[] pages = new @Nullable HeapPage[8];

  /** Leaves at {@code [leaves, 2 * leaves)}; a node is the larger of its children. */
  private int[] tree = new int[16];

  private int leaves = 8;
  private int count;

  int count() {
    return count;
  }

  HeapPage get(int position) {
    return Objects.requireNonNull(pages[position]);
  }

  /** Adds a page; costs time in the number of pages. */
  void add(HeapPage page) {
    if (count == leaves) {
      pages = Arrays.copyOf(pages, 2 * leaves);
      tree = new int[4 * leaves];
      leaves *= 2;
    }
    int at = count;
    while (at > 0 && get(at - 1).memory.address > page.memory.address) {
      pages[at] = pages[at - 1];
      at--;
    }
    pages[at] = page;
    count++;
    rebuild(at);
  }

  /** Removes a page; costs time in the number of pages. */
  void remove(HeapPage page) {
    int at = page.position;
    System.arraycopy(pages, at + 1, pages, at, count - at - 1);
    pages[--count] = null;
    page.position = -1;
    rebuild(at);
  }

  /** The lowest page that may have a free range of that many units, or null. */
  @Nullable HeapPage first(int wantedUnits) {
    if (tree[1] < wantedUnits) {
      return null;
    }
    int node = 1;
    while (node < leaves) {
      node *= 2;
      if (tree[node] < wantedUnits) {
        node++;
      }
    }
    return pages[node - leaves];
  }

  /** The longest free range of any page, or more. */
  int longestFree() {
    return tree[1];
  }

  /** To be called when the longest free range of a page has changed. */
  void update(HeapPage page) {
    int node = leaves + page.position;
    int value = page.longestFree();
    if (tree[node] == value) {
      return;
    }
    tree[node] = value;
    for (node /= 2; node > 0; node /= 2) {
      int larger = Math.max(tree[2 * node], tree[2 * node + 1]);
      if (tree[node] == larger) {
        return;
      }
      tree[node] = larger;
    }
  }

  private void rebuild(int from) {
    for (int i = from; i < leaves; i++) {
      HeapPage page = pages[i];
      if (page == null) {
        tree[leaves + i] = 0;
      } else {
        page.position = i;
        tree[leaves + i] = page.longestFree();
      }
    }
    for (int i = 0; i < from; i++) {
      tree[leaves + i] = get(i).longestFree();
    }
    for (int node = leaves - 1; node > 0; node--) {
      tree[node] = Math.max(tree[2 * node], tree[2 * node + 1]);
    }
  }

  /** INV-PAGE-3. */
  void verify() {
    for (int i = 0; i < count; i++) {
      HeapPage page = get(i);
      page.verify();
      boolean isSorted = i == 0 || get(i - 1).memory.address < page.memory.address;
      if (page.position != i || tree[leaves + i] != page.longestFree() || !isSorted) {
        throw new AssertionError("INV-PAGE-3 index is wrong at position=" + i + ": " + page);
      }
    }
  }
}
