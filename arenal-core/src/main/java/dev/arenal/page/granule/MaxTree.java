package dev.arenal.page.granule;

/**
 * A tournament tree over numbers by position: the first or last that is large enough is found in
 * logarithmic time, and the largest of all at once.
 *
 * <p>Not thread-safe.
 */
public final class MaxTree {
  /** The result of a search that finds nothing. */
  public static final int NONE = -1;

  /**
   * The root is at 1 and the leaves at {@code [leaves, 2 * leaves)}; each is its children's max.
   */
  private final int[] nodes;

  private final int leaves;

  /**
   * All zero.
   *
   * @param positions a power of two
   */
  public MaxTree(int positions) {
    nodes = new int[2 * positions];
    leaves = positions;
  }

  /**
   * A tree for more positions, with the numbers of this one, which stays as it is.
   *
   * @param positions a power of two
   * @param before so many positions more come before the first
   */
  public MaxTree enlarged(int positions, int before) {
    MaxTree larger = new MaxTree(positions);
    System.arraycopy(nodes, leaves, larger.nodes, positions + before, leaves);
    for (int node = positions - 1; node > 0; node--) {
      larger.nodes[node] = Math.max(larger.nodes[2 * node], larger.nodes[2 * node + 1]);
    }
    return larger;
  }

  /** Sets the number of a position. */
  public void set(int position, int value) {
    int leaf = leaves + position;
    if (nodes[leaf] == value) {
      return;
    }
    nodes[leaf] = value;
    for (int node = leaf >>> 1; node > 0; node >>>= 1) {
      int larger = Math.max(nodes[2 * node], nodes[2 * node + 1]);
      if (nodes[node] == larger) {
        return;
      }
      nodes[node] = larger;
    }
  }

  /** The number of a position. */
  public int get(int position) {
    return nodes[leaves + position];
  }

  /** The largest number. */
  public int max() {
    return nodes[1];
  }

  /**
   * The first position from there on with at least that number, which is positive; {@link #NONE} if
   * there is none.
   */
  public int first(int from, int least) {
    if (from >= leaves || nodes[1] < least) {
      return NONE;
    }
    int node = leaves + from;
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
    while (node < leaves) {
      node *= 2;
      node += nodes[node] < least ? 1 : 0;
    }
    return node - leaves;
  }

  /** The last position up to there; otherwise the same. */
  public int last(int from, int least) {
    if (from < 0 || nodes[1] < least) {
      return NONE;
    }
    int node = leaves + Math.min(from, leaves - 1);
    while (nodes[node] < least) {
      while ((node & 1) == 0) {
        node >>>= 1;
      }
      if (node == 1) {
        return NONE;
      }
      node--;
    }
    while (node < leaves) {
      node = 2 * node + 1;
      node -= nodes[node] < least ? 1 : 0;
    }
    return node - leaves;
  }

  /** INV-PAGE-3: each node is the larger of its children. */
  public void verify() {
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
