package dev.arenal.page.granule;

import org.jspecify.annotations.Nullable;

/**
 * A set of granules, kept as ranges that never touch each other, in the order of addresses.
 *
 * <p>Finds the lowest or highest range of at least a given length in the time it takes to walk down
 * a tree: each inner node knows the longest range that starts below it. The tree comes in sections
 * that are made when needed, since nearly all of a large address space is never used. Granules are
 * plain numbers from zero.
 *
 * <p>Not thread-safe. Once {@link #prepare} has made the sections of a range, adding and removing
 * it allocates nothing, so that it cannot end half-way for want of heap.
 */
class GranuleRanges {
  /** The result of a search when there is no such range. */
  static final int NONE = MaxTree.NONE;

  private static final int MAX_SECTION_SHIFT = 12;

  private final int granuleCount;
  private final int sectionShift;

  /** Over the sections: the longest range that starts in each. */
  private final MaxTree top;

  private final @Nullable MaxTree[] trees;

  /** For the last granule of each range its length, otherwise 0. */
  private final int[] @Nullable [] lengthsAtEnd;

  private int totalGranules;

  GranuleRanges(int granuleCount) {
    this.granuleCount = granuleCount;
    this.sectionShift = Math.min(MAX_SECTION_SHIFT, shiftFor(granuleCount));
    int sectionCount = sectionOf(Math.max(0, granuleCount - 1)) + 1;
    this.top = new MaxTree(1 << shiftFor(sectionCount));
    this.trees = new @Nullable MaxTree[sectionCount];
    this.lengthsAtEnd = new int[sectionCount][];
  }

  /** Granules in the set. */
  int totalGranules() {
    return totalGranules;
  }

  /** Length of the longest range, 0 if there is none. */
  int longest() {
    return top.max();
  }

  /**
   * Where a page of this kind goes: small pages low, others at the end of the highest range that
   * has room; {@link #NONE} if there is none.
   */
  int placeFor(PageKind kind, int count) {
    if (kind == PageKind.SMALL) {
      return lowest(count);
    }
    int start = highest(count);
    return start == NONE ? start : start + lengthAt(start) - count;
  }

  /** Length of the range that starts at a granule, 0 if none does. */
  int lengthAt(int granule) {
    MaxTree tree = granule < granuleCount ? trees[sectionOf(granule)] : null;
    return tree == null ? 0 : tree.get(inSection(granule));
  }

  boolean contains(int granule) {
    int start = lastFrom(granule, 1);
    return start != NONE && granule < start + lengthAt(start);
  }

  /** Start of the lowest range of at least that length that starts at {@code granule} or above. */
  int firstFrom(int granule, int leastLength) {
    if (granule >= granuleCount) {
      return NONE;
    }
    int section = sectionOf(granule);
    MaxTree tree = trees[section];
    int found = tree == null ? NONE : tree.first(inSection(granule), leastLength);
    if (found != NONE) {
      return (section << sectionShift) + found;
    }
    section = top.first(section + 1, leastLength);
    tree = section == NONE ? null : trees[section];
    return tree == null ? NONE : (section << sectionShift) + tree.first(0, leastLength);
  }

  /** Start of the highest range of at least that length that starts at {@code granule} or below. */
  int lastFrom(int granule, int leastLength) {
    if (granule < 0) {
      return NONE;
    }
    int from = Math.min(granule, granuleCount - 1);
    int section = sectionOf(from);
    MaxTree tree = trees[section];
    int found = tree == null ? NONE : tree.last(inSection(from), leastLength);
    if (found != NONE) {
      return (section << sectionShift) + found;
    }
    section = top.last(section - 1, leastLength);
    tree = section == NONE ? null : trees[section];
    return tree == null
        ? NONE
        : (section << sectionShift) + tree.last((1 << sectionShift) - 1, leastLength);
  }

  int lowest(int leastLength) {
    return firstFrom(0, leastLength);
  }

  int highest(int leastLength) {
    return lastFrom(granuleCount - 1, leastLength);
  }

  /** Granules of {@code [from, from + count)} that are in the set. */
  int countIn(int from, int count) {
    int end = from + count;
    int sum = 0;
    int start = lastFrom(from, 1);
    if (start == NONE) {
      start = firstFrom(from, 1);
    }
    while (start != NONE && start < end) {
      int rangeEnd = start + lengthAt(start);
      sum += Math.max(0, Math.min(rangeEnd, end) - Math.max(start, from));
      start = firstFrom(rangeEnd, 1);
    }
    return sum;
  }

  /** Makes the sections of a range and of its neighbours. */
  void prepare(int from, int count) {
    int firstSection = sectionOf(Math.max(0, from - 1));
    int lastSection = sectionOf(Math.min(granuleCount - 1, from + count));
    for (int section = firstSection; section <= lastSection; section++) {
      if (lengthsAtEnd[section] == null) {
        MaxTree tree = new MaxTree(1 << sectionShift);
        lengthsAtEnd[section] = new int[1 << sectionShift];
        trees[section] = tree;
      }
    }
  }

  /** Adds granules of which none is in the set. */
  void add(int from, int count) {
    assert countIn(from, count) == 0 : "already in the set: from=" + from + ", count=" + count;
    int left = from == 0 ? 0 : lengthAtEnd(from - 1);
    int right = lengthAt(from + count);
    if (right > 0) {
      setStart(from + count, 0);
    }
    if (left > 0) {
      setEnd(from - 1, 0);
    }
    int length = left + count + right;
    setStart(from - left, length);
    setEnd(from + count + right - 1, length);
    totalGranules += count;
  }

  /** Removes granules that are all in the set. */
  void remove(int from, int count) {
    int start = lastFrom(from, 1);
    int length = start == NONE ? 0 : lengthAt(start);
    if (from + count > start + length) {
      throw new AssertionError("not in the set: from=" + from + ", count=" + count);
    }
    int left = from - start;
    int right = length - left - count;
    setEnd(start + length - 1, 0);
    setStart(start, left);
    if (left > 0) {
      setEnd(from - 1, left);
    }
    if (right > 0) {
      setStart(from + count, right);
      setEnd(from + count + right - 1, right);
    }
    totalGranules -= count;
  }

  /** Checks all that is remembered against the ranges themselves. */
  void verify() {
    int sum = 0;
    int end = -1;
    for (int start = lowest(1); start != NONE; start = firstFrom(end, 1)) {
      check(start > end, "ranges touch or overlap", start);
      int length = lengthAt(start);
      end = start + length;
      check(end <= granuleCount, "range is too long", start);
      check(lengthAtEnd(end - 1) == length, "length at the end differs", start);
      sum += length;
    }
    check(sum == totalGranules, "total differs from the sum of the ranges", sum);
    for (int section = 0; section < trees.length; section++) {
      MaxTree tree = trees[section];
      int longest = tree == null ? 0 : tree.max();
      check(top.get(section) == longest, "longest of a section differs", section);
      if (tree != null) {
        tree.verify();
      }
    }
    top.verify();
  }

  private static void check(boolean condition, String what, int at) {
    if (!condition) {
      throw new AssertionError("ranges of granules: " + what + ": at=" + at);
    }
  }

  private int lengthAtEnd(int granule) {
    int[] lengths = lengthsAtEnd[sectionOf(granule)];
    return lengths == null ? 0 : lengths[granule & (lengths.length - 1)];
  }

  @SuppressWarnings("NullAway") // prepared
  private void setEnd(int granule, int length) {
    int[] lengths = lengthsAtEnd[sectionOf(granule)];
    lengths[granule & (lengths.length - 1)] = length;
  }

  @SuppressWarnings("NullAway") // prepared
  private void setStart(int granule, int length) {
    int section = sectionOf(granule);
    MaxTree tree = trees[section];
    tree.set(inSection(granule), length);
    top.set(section, tree.max());
  }

  private int sectionOf(int granule) {
    return granule >>> sectionShift;
  }

  private int inSection(int granule) {
    return granule & ((1 << sectionShift) - 1);
  }

  private static int shiftFor(int count) {
    return count <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
  }
}
