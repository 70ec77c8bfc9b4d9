package dev.arenal.page.granule;

/**
 * A tournament tree over numbers by position: the first or last that is large enough is found in
 * logarithmic time, and the largest of all at once.
 *
 * <p>Not thread-safe. Only {@link #reserve} needs the Java heap.
 */
public final class MaxTree {
  /** The result of a search that finds nothing. */
  public static final int NONE = -1;

  /**
   * The root is at 1 and the leaves at {@code [leaves, 2 * leaves)}; each is its children's max.
   */
  private int[] nodes;

  private int leaves;

  /**
   * All zero.
   *
   * @param positions a power of two
   */
  public MaxTree(int positions) {
    nodes = new int[2 * positions];
    leaves = positions;
  }

  /** Makes room for that many positions. */
  public void reserve(int positions) {
    int wanted = leaves;
    while (wanted < positions) {
      wanted *= 2;
    }
    if (wanted > leaves) {
      int[] larger = new int[2 * wanted]; // where the Java heap is full, nothing has changed
      System.arraycopy(nodes, leaves, larger, wanted, leaves);
      nodes = larger;
      leaves = wanted;
      for (int node = leaves - 1; node > 0; node--) {
        nodes[node] = Math.max(nodes[2 * node], nodes[2 * node + 1]);
      }
    }
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

  /** Also for a position that there is no room for. */
  public int getOrZero(int position) {
    return position < leaves ? get(position) : 0;
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
