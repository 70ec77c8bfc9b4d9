package dev.arenal.elastic.block;

import java.util.Arrays;

/**
 * Blocks that an arena got back early, for reuse by the same arena.
 *
 * <p>Two views of one set: a treap by address, which finds neighbours to coalesce with and whatever
 * overlaps, and bins by size, which find a fit in constant time (exact up to {@value #EXACT_BYTES}
 * bytes, then four bins an octave, as in TLSF). All of it outside the blocks, in arrays of numbers:
 * a program that writes to a block it gave back damages its own data, never this. HotSpot keeps its
 * free blocks in themselves, in lists and an unbalanced tree, and does not coalesce.
 *
 * <p>INV-FREE-1: blocks are disjoint and not adjacent. INV-FREE-2: every block is in the bin of its
 * size. INV-FREE-3: addresses and sizes are multiples of 8. Guarded by the owner of the arena.
 */
public final class FreeBlocks {
  public static final long NONE = 0;

  private static final int EXACT_BYTES = 512;
  private static final int EXACT_BINS = EXACT_BYTES / 8 + 1;
  private static final int COUNT_BINS = EXACT_BINS + 4 * 48;

  /** How many blocks of a bin that holds fitting and unfitting ones are looked at. */
  private static final int MAX_PROBES = 8;

  private long[] start = new long[8];
  private long[] size = new long[8];
  private int[] left = new int[8];
  private int[] right = new int[8];
  private int[] next = new int[8];
  private int[] previous = new int[8];
  private final int[] bins = new int[COUNT_BINS];
  private final long[] binMask = new long[(COUNT_BINS + 63) / 64];
  private int countRecords = 1; // record 0 is "none"
  private int unusedRecord;
  private int root;
  private int countBlocks;
  private long totalBytes;

  public boolean isEmpty() {
    return countBlocks == 0;
  }

  public int countBlocks() {
    return countBlocks;
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** Whether any byte of the range is in a free block. */
  public boolean overlaps(long address, long sizeBytes) {
    int before = floor(address + sizeBytes - 1);
    return before != 0 && start[before] + size[before] > address;
  }

  /**
   * Adds a block that overlaps none, and joins it with its neighbours. Returns the joined start.
   */
  public long add(long address, long sizeBytes) {
    assert !overlaps(address, sizeBytes) : "INV-FREE-1";
    assert ((address | sizeBytes) & 7) == 0 : "INV-FREE-3";
    int before = floor(address);
    int after = floor(address + sizeBytes);
    boolean joinsBefore = before != 0 && start[before] + size[before] == address;
    boolean joinsAfter = after != 0 && start[after] == address + sizeBytes;
    if (!joinsBefore && !joinsAfter) {
      prepare(); // so what was just taken can be put back without: it has a record, or neighbours
    }
    totalBytes += sizeBytes;
    if (joinsBefore) {
      long joined = size[before] + sizeBytes;
      if (joinsAfter) {
        joined += size[after];
        remove(after);
      }
      resize(before, start[before], joined);
      return start[before];
    }
    if (joinsAfter) {
      resize(after, address, size[after] + sizeBytes);
      return address;
    }
    int block = newRecord(address, sizeBytes);
    root = insert(root, block);
    link(block);
    countBlocks++;
    return address;
  }

  /** Size of the block that starts at this address. */
  public long sizeBytesAt(long address) {
    int block = floor(address);
    assert block != 0 && start[block] == address : address;
    return size[block];
  }

  /** Takes {@code sizeBytes} aligned bytes out of a block; {@link #NONE} if no block has them. */
  public long take(long sizeBytes, long alignmentBytes) {
    prepare(); // for the piece behind a block that is cut out of the middle
    int bin = binOf(sizeBytes);
    int block = firstFit(bins[bin], sizeBytes, alignmentBytes);
    while (block == 0) {
      bin = nextBin(bin + 1);
      if (bin < 0) {
        return NONE;
      }
      block = firstFit(bins[bin], sizeBytes, alignmentBytes);
    }
    long address = alignUp(start[block], alignmentBytes);
    long blockEnd = start[block] + size[block];
    long blockStart = start[block];
    long end = address + sizeBytes;
    totalBytes -= sizeBytes;
    if (blockStart == address && end == blockEnd) {
      remove(block);
    } else if (blockStart == address) {
      resize(block, end, blockEnd - end);
    } else {
      resize(block, blockStart, address - blockStart);
      if (end != blockEnd) {
        totalBytes -= blockEnd - end;
        var _ = add(end, blockEnd - end);
      }
    }
    return address;
  }

  private int firstFit(int block, long sizeBytes, long alignmentBytes) {
    for (int probes = 0; block != 0 && probes < MAX_PROBES; probes++) {
      long gap = alignUp(start[block], alignmentBytes) - start[block];
      if (size[block] - gap >= sizeBytes) {
        return block;
      }
      block = next[block];
    }
    return 0;
  }

  private static long alignUp(long value, long alignment) {
    return (value + alignment - 1) & -alignment;
  }

  private static int binOf(long sizeBytes) {
    if (sizeBytes <= EXACT_BYTES) {
      return (int) (sizeBytes >>> 3);
    }
    int shift = 63 - Long.numberOfLeadingZeros(sizeBytes);
    int bin = EXACT_BINS + 4 * (shift - 9) + (int) ((sizeBytes >>> (shift - 2)) & 3);
    return Math.min(bin, COUNT_BINS - 1);
  }

  private int nextBin(int from) {
    if (from >= COUNT_BINS) {
      return -1;
    }
    int word = from >>> 6;
    long bits = binMask[word] & (-1L << from);
    while (bits == 0) {
      if (++word == binMask.length) {
        return -1;
      }
      bits = binMask[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  private void link(int block) {
    int bin = binOf(size[block]);
    int head = bins[bin];
    next[block] = head;
    previous[block] = 0;
    if (head != 0) {
      previous[head] = block;
    }
    bins[bin] = block;
    binMask[bin >>> 6] |= 1L << bin;
  }

  private void unlink(int block) {
    int after = next[block];
    int before = previous[block];
    if (after != 0) {
      previous[after] = before;
    }
    if (before != 0) {
      next[before] = after;
      return;
    }
    int bin = binOf(size[block]);
    bins[bin] = after;
    if (after == 0) {
      binMask[bin >>> 6] &= ~(1L << bin);
    }
  }

  /** Moves the ends of a block; its place in the order of addresses stays. */
  private void resize(int block, long newStart, long newSize) {
    unlink(block);
    start[block] = newStart;
    size[block] = newSize;
    link(block);
  }

  private void remove(int block) {
    unlink(block);
    root = delete(root, block);
    next[block] = unusedRecord;
    unusedRecord = block;
    countBlocks--;
  }

  /** Makes room for one more record, before anything changes: the heap may be full. */
  private void prepare() {
    if (unusedRecord != 0 || countRecords < start.length) {
      return;
    }
    int capacity = 2 * start.length;
    long[] moreStart = Arrays.copyOf(start, capacity);
    long[] moreSize = Arrays.copyOf(size, capacity);
    int[] moreLeft = Arrays.copyOf(left, capacity);
    int[] moreRight = Arrays.copyOf(right, capacity);
    int[] moreNext = Arrays.copyOf(next, capacity);
    previous = Arrays.copyOf(previous, capacity);
    start = moreStart;
    size = moreSize;
    left = moreLeft;
    right = moreRight;
    next = moreNext;
  }

  private int newRecord(long address, long sizeBytes) {
    int block = unusedRecord;
    if (block != 0) {
      unusedRecord = next[block];
    } else {
      block = countRecords++;
    }
    start[block] = address;
    size[block] = sizeBytes;
    left[block] = 0;
    right[block] = 0;
    return block;
  }

  /** The block with the highest start at or below the address; 0 if there is none. */
  private int floor(long address) {
    int found = 0;
    for (int at = root; at != 0; ) {
      if (start[at] <= address) {
        found = at;
        at = right[at];
      } else {
        at = left[at];
      }
    }
    return found;
  }

  /** The heap order of the treap; any scrambling of the record number does. */
  private static int priority(int block) {
    int mixed = block * 0x9E3779B9;
    return mixed ^ (mixed >>> 15);
  }

  private int insert(int tree, int block) {
    if (tree == 0) {
      return block;
    }
    if (start[block] < start[tree]) {
      left[tree] = insert(left[tree], block);
      return priority(left[tree]) > priority(tree) ? rotateRight(tree) : tree;
    }
    right[tree] = insert(right[tree], block);
    return priority(right[tree]) > priority(tree) ? rotateLeft(tree) : tree;
  }

  private int delete(int tree, int block) {
    assert tree != 0 : "INV-FREE-1: block is not in the tree";
    if (tree == block) {
      return join(left[tree], right[tree]);
    }
    if (start[block] < start[tree]) {
      left[tree] = delete(left[tree], block);
    } else {
      right[tree] = delete(right[tree], block);
    }
    return tree;
  }

  private int join(int lower, int higher) {
    if (lower == 0 || higher == 0) {
      return lower + higher;
    }
    if (priority(lower) > priority(higher)) {
      right[lower] = join(right[lower], higher);
      return lower;
    }
    left[higher] = join(lower, left[higher]);
    return higher;
  }

  private int rotateRight(int tree) {
    int top = left[tree];
    left[tree] = right[top];
    right[top] = tree;
    return top;
  }

  private int rotateLeft(int tree) {
    int top = right[tree];
    right[tree] = left[top];
    left[top] = tree;
    return top;
  }

  /** Checks INV-FREE-1 to 3; O(blocks). */
  public void verify() {
    long[] seen = new long[3]; // count, bytes, end of the block before
    verify(root, seen);
    check(seen[0] == countBlocks, "INV-FREE-1: count", seen[0]);
    check(seen[1] == totalBytes, "INV-FREE-1: bytes", seen[1]);
    int inBins = 0;
    for (int bin = 0; bin < COUNT_BINS; bin++) {
      for (int block = bins[bin]; block != 0; block = next[block]) {
        check(binOf(size[block]) == bin, "INV-FREE-2: bin", size[block]);
        inBins++;
      }
    }
    check(inBins == countBlocks, "INV-FREE-2: count", inBins);
  }

  private void verify(int tree, long[] seen) {
    if (tree == 0) {
      return;
    }
    verify(left[tree], seen);
    check(start[tree] > seen[2], "INV-FREE-1: order", start[tree]);
    check(((start[tree] | size[tree]) & 7) == 0 && size[tree] > 0, "INV-FREE-3", size[tree]);
    seen[0]++;
    seen[1] += size[tree];
    seen[2] = start[tree] + size[tree];
    verify(right[tree], seen);
  }

  private static void check(boolean condition, String what, long value) {
    if (!condition) {
      throw new AssertionError(what + ": value=" + value);
    }
  }
}
