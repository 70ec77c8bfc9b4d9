package dev.arenal.page.granule;

/**
 * A tournament tree in an array of ints whose length is twice a power of two, and at least 2.
 *
 * <p>The leaves are at {@code [length / 2, length)}, and the root is at 1; a node is the larger of
 * its children. The first or last leaf that is large enough is found in logarithmic time.
 */
public final class MaxNodes {
  /** The result of a search that finds nothing. */
  public static final int NONE = -1;

  private MaxNodes() {}

  /** A tree of zeros; this also loads the class before a full Java heap can prevent it. */
  public static int[] create(int countLeaves) {
    return new int[2 * countLeaves];
  }

  /** Sets a node that is a leaf, and those above it. */
  public static void set(int[] nodes, int leafNode, int value) {
    if (nodes[leafNode] == value) {
      return;
    }
    nodes[leafNode] = value;
    for (int node = leafNode >>> 1; node > 0; node >>>= 1) {
      int larger = Math.max(nodes[2 * node], nodes[2 * node + 1]);
      if (nodes[node] == larger) {
        return;
      }
      nodes[node] = larger;
    }
  }

  /** Computes all inner nodes from leaves that were written directly. */
  public static void settle(int[] nodes) {
    for (int node = nodes.length / 2 - 1; node > 0; node--) {
      nodes[node] = Math.max(nodes[2 * node], nodes[2 * node + 1]);
    }
  }

  /** The first leaf from a leaf on with at least that number, which is positive. */
  public static int first(int[] nodes, int fromLeaf, int least) {
    int countLeaves = nodes.length / 2;
    int node = countLeaves + fromLeaf;
    while (nodes[node] < least) {
      // Up while it is a right child, then to the next subtree on the right.
      while ((node & 1) != 0) {
        node >>>= 1;
      }
      if (node == 0) {
        return NONE;
      }
      node++;
    }
    while (node < countLeaves) {
      node *= 2;
      node += nodes[node] < least ? 1 : 0;
    }
    return node - countLeaves;
  }

  /** The last leaf up to a leaf with at least that number, which is positive. */
  public static int last(int[] nodes, int fromLeaf, int least) {
    int countLeaves = nodes.length / 2;
    int node = countLeaves + fromLeaf;
    while (nodes[node] < least) {
      while ((node & 1) == 0) {
        node >>>= 1;
      }
      if (node == 1) {
        return NONE;
      }
      node--;
    }
    while (node < countLeaves) {
      node = 2 * node + 1;
      node -= nodes[node] < least ? 1 : 0;
    }
    return node - countLeaves;
  }

  /** INV-PAGE-3: each node is the larger of its children. */
  public static void verify(int[] nodes) {
    for (int node = nodes.length / 2 - 1; node > 0; node--) {
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
