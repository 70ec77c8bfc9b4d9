package dev.arenal.page.span;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which classes of holes pages have, by position, in a tree: each node has those of its children.
 * The lowest page with a hole of a class is found in logarithmic time, and whether there is one at
 * once.
 *
 * <p>Not thread-safe.
 */
final class HoleTree {
  static final int NONE = -1;

  private static final int WORDS = HoleClasses.WORDS;

  /** The root is at 1 and the leaves at {@code [leaves, 2 * leaves)}, in words. */
  private final long[] nodes;

  private final int leaves;

  /**
   * Without a hole.
   *
   * @param positions a power of two
   */
  HoleTree(int positions) {
    nodes = new long[2 * positions * WORDS];
    leaves = positions;
  }

  /**
   * A tree for more positions, with the classes of this one, which stays as it is.
   *
   * @param positions a power of two
   * @param before so many positions more come before the first
   */
  HoleTree enlarged(int positions, int before) {
    HoleTree larger = new HoleTree(positions);
    System.arraycopy(
        nodes, leaves * WORDS, larger.nodes, (positions + before) * WORDS, leaves * WORDS);
    for (int node = positions - 1; node > 0; node--) {
      boolean _ = larger.join(node);
    }
    return larger;
  }

  /** Sets the classes of a position. */
  void set(int position, long[] present) {
    int leaf = (leaves + position) * WORDS;
    boolean isChanged = false;
    for (int i = 0; i < WORDS; i++) {
      isChanged |= nodes[leaf + i] != present[i];
      nodes[leaf + i] = present[i];
    }
    if (isChanged) {
      joinAbove(position);
    }
  }

  /** There is no page at a position any more. */
  void clear(int position) {
    Arrays.fill(nodes, (leaves + position) * WORDS, (leaves + position + 1) * WORDS, 0);
    joinAbove(position);
  }

  private void joinAbove(int position) {
    for (int node = (leaves + position) >>> 1; node > 0 && join(node); node >>>= 1) {
      // up to the first that stays as it is
    }
  }

  /** Whether a node has changed. */
  private boolean join(int node) {
    int at = node * WORDS;
    int left = 2 * at;
    boolean isChanged = false;
    for (int i = 0; i < WORDS; i++) {
      long both = nodes[left + i] | nodes[left + WORDS + i];
      isChanged |= nodes[at + i] != both;
      nodes[at + i] = both;
    }
    return isChanged;
  }

  /** The first class from there on of which there is a hole; {@link HoleClasses#COUNT} if none. */
  int firstClass(int from) {
    int word = from >>> 6;
    if (word >= WORDS) {
      return HoleClasses.COUNT;
    }
    long rest = nodes[WORDS + word] & (-1L << from);
    while (rest == 0) {
      word++;
      if (word == WORDS) {
        return HoleClasses.COUNT;
      }
      rest = nodes[WORDS + word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(rest);
  }

  /** The first position from there on with a hole of that class; {@link #NONE} if none. */
  int first(int from, int holeClass) {
    int word = holeClass >>> 6;
    long bit = 1L << holeClass;
    if (from >= leaves || (nodes[WORDS + word] & bit) == 0) {
      return NONE;
    }
    int node = leaves + from;
    while ((nodes[node * WORDS + word] & bit) == 0) {
      // Up while it is a right child, then to the next subtree on the right.
      while ((node & 1) != 0) {
        node >>>= 1;
      }
      if (node == 0) {
        return NONE;
      }
      node++;
    }
    while (node < leaves) {
      node *= 2;
      node += (nodes[node * WORDS + word] & bit) == 0 ? 1 : 0;
    }
    return node - leaves;
  }

  /** No hole is longer than that. */
  int longestBound() {
    return HoleCounts.longestBound(nodes, WORDS);
  }

  /** Whether a position has these, which are null where there is no page. */
  boolean has(int position, long @Nullable [] present) {
    for (int i = 0; i < WORDS; i++) {
      if (nodes[(leaves + position) * WORDS + i] != (present == null ? 0 : present[i])) {
        return false;
      }
    }
    return true;
  }

  /** INV-PAGE-3: each node has the classes of its children. */
  void verify() {
    for (int node = leaves - 1; node > 0; node--) {
      if (join(node)) {
        throw new AssertionError(
            "INV-PAGE-3 node does not have the classes of its children: node=" + node);
      }
    }
  }
}
