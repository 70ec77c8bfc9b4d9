package dev.arenal.page;

import dev.arenal.page.granule.MaxNodes;
import java.util.Arrays;

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
    MaxNodes.settle(nodes);
  }

  void set(int position, int value) {
    MaxNodes.set(nodes, leaves + position, value);
  }

  int get(int position) {
    return nodes[leaves + position];
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
