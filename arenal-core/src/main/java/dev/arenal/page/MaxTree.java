package dev.arenal.page;

import dev.arenal.page.granule.MaxNodes;

/**
 * A tournament tree over numbers by position, which grows: the first that is large enough is found
 * in logarithmic time, and the largest of all at once.
 *
 * <p>Not thread-safe.
 */
final class MaxTree {
  /** See {@link MaxNodes}; the leaves are at {@code [leaves, 2 * leaves)}. */
  private int[] nodes = MaxNodes.create(8);

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
      MaxNodes.settle(nodes);
    }
  }

  void set(int position, int value) {
    MaxNodes.set(nodes, leaves + position, value);
  }

  int get(int position) {
    return nodes[leaves + position];
  }

  /** Also for a position that there is no room for. */
  int getOrZero(int position) {
    return position < leaves ? get(position) : 0;
  }

  int max() {
    return nodes[1];
  }

  /** The first position from there with at least that number, which is positive; -1 if none. */
  int first(int from, int least) {
    return from >= leaves || nodes[1] < least ? MaxNodes.NONE : MaxNodes.first(nodes, from, least);
  }

  /** INV-PAGE-3: each node is the larger of its children. */
  void verify() {
    MaxNodes.verify(nodes);
  }
}
