package dev.arenal.elastic.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Free blocks of more than {@link SmallBins#MOST_BYTES} bytes.
 *
 * <p>Two views of one set: a treap by address, which finds the one that covers an address, and bins
 * by size, four an octave as in TLSF, which find a fit in constant time.
 */
final class LargeBlocks {
  private static final int FIRST_SHIFT = 63 - Long.numberOfLeadingZeros(SmallBins.MOST_BYTES);
  private static final int BIN_COUNT = 4 * 48;

  /** How many blocks of a bin that holds fitting and unfitting ones are looked at. */
  private static final int MAX_PROBES = 8;

  /** Of a million blocks drawn priorities make a tree of some 50 levels. */
  private static final int MOST_DEPTH = 100;

  private long[] start = new long[8];
  private long[] size = new long[8];
  private int[] left = new int[8];
  private int[] right = new int[8];
  private int[] next = new int[8];
  private int[] previous = new int[8];
  private final int[] bins = new int[BIN_COUNT];
  private final long[] binMask = new long[BIN_COUNT / Long.SIZE + 1];
  private int recordCount = 1; // record 0 is "none"
  private int unusedRecord;
  private int root;

  /** The end of a block. */
  long end(int block) {
    return start[block] + size[block];
  }

  long start(int block) {
    return start[block];
  }

  /** Whether a block covers an address. */
  boolean covers(long address) {
    int block = floor(address);
    return block != 0 && end(block) > address;
  }

  /** Adds a block for which room has been made; it is no neighbour of another large one. */
  void add(long address, long sizeBytes) {
    int block = newRecord(address, sizeBytes);
    insert(block);
    link(block);
  }

  /**
   * A block with so many aligned bytes, which {@code choice} wants if there is one; 0 if there is
   * none, or it is not found soon.
   */
  int fit(long sizeBytes, long alignmentBytes, FreeBlocks.@Nullable Choice choice) {
    int bin = FreeWords.nextBit(binMask, binOf(sizeBytes));
    while (bin >= 0) {
      int block = firstFit(bins[bin], sizeBytes, alignmentBytes, choice);
      if (block != 0) {
        return block;
      }
      bin = FreeWords.nextBit(binMask, bin + 1);
    }
    return 0;
  }

  private int firstFit(
      int first, long sizeBytes, long alignmentBytes, FreeBlocks.@Nullable Choice choice) {
    int block = first;
    for (int probes = 0; block != 0 && probes < MAX_PROBES; probes++) {
      long gap = -start[block] & (alignmentBytes - 1);
      if (size[block] - gap >= sizeBytes
          && (choice == null || choice.isChosen(start[block] + gap, sizeBytes))) {
        return block;
      }
      block = next[block];
    }
    return 0;
  }

  private static int binOf(long sizeBytes) {
    int shift = 63 - Long.numberOfLeadingZeros(sizeBytes);
    if (shift < FIRST_SHIFT) {
      return 0;
    }
    int bin = 4 * (shift - FIRST_SHIFT) + (int) ((sizeBytes >>> (shift - 2)) & 3);
    return Math.min(bin, BIN_COUNT - 1);
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
  void resize(int block, long newStart, long newSize) {
    unlink(block);
    start[block] = newStart;
    size[block] = newSize;
    link(block);
  }

  void remove(int block) {
    unlink(block);
    delete(block);
    next[block] = unusedRecord;
    unusedRecord = block;
  }

  /** Makes room for one more record, before anything changes: the heap may be full. */
  void prepare() {
    if (unusedRecord != 0 || recordCount < start.length) {
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
      block = recordCount++;
    }
    start[block] = address;
    size[block] = sizeBytes;
    left[block] = 0;
    right[block] = 0;
    return block;
  }

  /** The block with the highest start at or below the address; 0 if there is none. */
  int floor(long address) {
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

  /**
   * The heap order of the treap. It looks drawn, whatever record numbers blocks next to each other
   * have: with mere multiples, blocks that were freed column by column made a list of the tree.
   */
  private static int priority(int block) {
    int mixed = block * 0x9E3779B9;
    mixed = (mixed ^ (mixed >>> 16)) * 0x85EBCA6B;
    mixed = (mixed ^ (mixed >>> 13)) * 0xC2B2AE35;
    return mixed ^ (mixed >>> 16);
  }

  /** The child of a block on the side where another one belongs. */
  private int childTowards(int block, int other) {
    return start[other] < start[block] ? left[block] : right[block];
  }

  /** Makes a block the child of a parent, or the root, on the side where another one belongs. */
  private void hang(int child, int parent, int other) {
    if (parent == 0) {
      root = child;
    } else if (start[other] < start[parent]) {
      left[parent] = child;
    } else {
      right[parent] = child;
    }
  }

  /** A descent and a split, without recursion: the stack may be near its end. */
  private void insert(int block) {
    int parent = 0;
    int rest = root;
    while (rest != 0 && priority(rest) >= priority(block)) {
      parent = rest;
      rest = childTowards(rest, block);
    }
    hang(block, parent, block);
    int lower = block; // its right side begins with the lower ones, until the sides are exchanged
    int higher = block;
    while (rest != 0) {
      if (start[rest] < start[block]) {
        right[lower] = rest;
        lower = rest;
        rest = right[rest];
      } else {
        left[higher] = rest;
        higher = rest;
        rest = left[rest];
      }
    }
    right[lower] = 0;
    left[higher] = 0;
    int firstHigher = left[block];
    left[block] = right[block];
    right[block] = firstHigher;
  }

  private void delete(int block) {
    int parent = 0;
    for (int at = root; at != block; at = childTowards(at, block)) {
      assert at != 0 : "INV-FREE-2: block is not in the tree";
      parent = at;
    }
    int lower = left[block];
    int higher = right[block];
    while (lower != 0 && higher != 0) {
      if (priority(lower) > priority(higher)) {
        hang(lower, parent, block);
        parent = lower;
        lower = right[lower];
      } else {
        hang(higher, parent, block);
        parent = higher;
        higher = left[higher];
      }
    }
    hang(lower + higher, parent, block);
  }

  /** How many blocks are passed on the way to one. */
  private int depth(int block) {
    int depth = 0;
    for (int at = root; at != block; at = childTowards(at, block)) {
      depth++;
    }
    return depth;
  }

  /** Checks the order of the tree and the bins; calls {@code visitor} for each block. */
  void verify(Visitor visitor) {
    int inTree = 0;
    long above = Long.MAX_VALUE;
    for (int block = floor(above); block != 0; block = floor(above)) {
      FreeBlocks.check(end(block) <= above, "INV-FREE-1: order", start[block]);
      FreeBlocks.check(depth(block) <= MOST_DEPTH, "INV-FREE-2: the tree is no list", depth(block));
      above = start[block] - 1; // neighbours would be one block
      visitor.visit(start[block], size[block]);
      inTree++;
    }
    int inBins = 0;
    for (int bin = 0; bin < BIN_COUNT; bin++) {
      for (int block = bins[bin]; block != 0; block = next[block]) {
        FreeBlocks.check(binOf(size[block]) == bin, "INV-FREE-2: bin", size[block]);
        inBins++;
      }
    }
    FreeBlocks.check(inBins == inTree, "INV-FREE-2: count", inBins);
  }

  /** Looks at a block. */
  @FunctionalInterface
  interface Visitor {
    void visit(long address, long sizeBytes);
  }
}
