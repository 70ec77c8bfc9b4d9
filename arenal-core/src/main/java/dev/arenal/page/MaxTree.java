package dev.arenal.page;

import java.util.Arrays;

/**
 * A tournament tree over numbers by position: the first that is large enough is found in
 * logarithmic time, and the largest of all at once.
 *
 * <p>Not thread-safe.
 */
final class MaxTree {
  /** Leaves at {@code [leaves, 2 * leaves)}; a node is the larger of its children. */
  private int[] nodes = new int[16];

  private int leaves = 8;

  /** Makes room for that many positions. */
  void reserve(int countPositions) {
    int wanted = leaves;
    while (wanted < countPositions) {
      wanted *= 2;
    }
    if (wanted > leaves) {
      int[] larger = new int[2 * wanted]; // where the Java heap is full, nothing has changed
      System.arraycopy(nodes, leaves, larger, wanted, leaves);
      nodes = larger;
      leaves = wanted;
      settle();
    }
  }

  /** All numbers are 0 then. */
  void clear() {
    Arrays.fill(nodes, 0);
  }

  /** Sets a number without the nodes above it: {@link #settle} does that for all at once. */
  void put(int position, int value) {
    nodes[leaves + position] = value;
  }

  /** Makes good for {@link #put}. */
  void settle() {
    for (int node = leaves - 1; node > 0; node--) {
      nodes[node] = Math.max(nodes[2 * node], nodes[2 * node + 1]);
    }
  }

  void set(int position, int value) {
    int node = leaves + position;
    if (nodes[node] == value) {
      return;
    }
    nodes[node] = value;
    for (node /= 2; node > 0; node /= 2) {
      int larger = Math.max(nodes[2 * node], nodes[2 * node + 1]);
      if (nodes[node] == larger) {
        return;
      }
      nodes[node] = larger;
    }
  }

  int get(int position) {
    return nodes[leaves + position];
  }

  int max() {
    return nodes[1];
  }

  /** The first position from there with at least that number, which is positive; -1 if none. */
  int first(int from, int least) {
    if (from >= leaves || nodes[1] < least) {
      return -1;
    }
    int node = leaves + from;
    while (nodes[node] < least) {
      // Up while it is a right child, then to the next subtree on the right.
      while ((node & 1) != 0) {
        node >>= 1;
      }
      if (node == 0) {
        return -1;
      }
      node++;
    }
    while (node < leaves) {
      node *= 2;
      if (nodes[node] < least) {
        node++;
      }
    }
    return node - leaves;
  }

  /** INV-PAGE-3: each node is the larger of its children. */
  void verify() {
    for (int node = leaves - 1; node > 0; node--) {
      int larger = Math.max(nodes[2 * node], nodes[2 * node + 1]);
      if (nodes[node] != larger) {
        throw new AssertionError(
            "INV-PAGE-3 node is not the larger of its children: node="
                + node
                + ", value="
                + nodes[node]
                + ", larger="
                + larger);
      }
    }
  }
}
