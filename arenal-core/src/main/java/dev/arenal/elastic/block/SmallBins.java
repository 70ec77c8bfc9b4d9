package dev.arenal.elastic.block;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Free blocks of up to {@value #MOST_BYTES} bytes by their size: a list for each, last in, first
 * out.
 *
 * <p>An entry is a hint. A block that joins with its neighbours leaves its entry behind, and an
 * entry is believed only where {@link FreeWords} has a block of that size. So nothing has to be
 * found and unlinked where blocks are joined. Entries that say nothing are swept when there is no
 * room for another one; as many are added before the next time.
 */
final class SmallBins {
  static final int MOST_BYTES = 2048;

  private static final int BIN_COUNT = MOST_BYTES / 8 + 1;

  /** How many blocks of a bin are looked at for an alignment. */
  private static final int MAX_PROBES = 8;

  /** The rests of a block on both sides, and entries taken out that come back. */
  static final int MOST_PUSHES = 3;

  private final FreeWords words;

  /** For each number of words the latest entry, 0 if there is none. */
  private final int[] heads = new int[BIN_COUNT];

  private final long[] mask = new long[BIN_COUNT / Long.SIZE + 2];
  private long[] addresses = new long[0];
  private int[] next = new int[0];
  private int unused;
  private int unusedCount;

  SmallBins(FreeWords words) {
    this.words = words;
    grow(16);
  }

  /** Makes room for the entries of one change, before anything changes: the heap may be full. */
  void prepare(int pushCount) {
    if (unusedCount < pushCount) {
      sweep();
      if (3 * unusedCount < 2 * next.length) {
        grow(2 * next.length);
      }
    }
  }

  /** How many entries there is room for. */
  int capacity() {
    return next.length - 1;
  }

  private void grow(int capacity) {
    int[] more = Arrays.copyOf(next, capacity);
    addresses = Arrays.copyOf(addresses, capacity);
    int from = Math.max(1, next.length); // entry 0 is "none"
    next = more;
    for (int entry = from; entry < capacity; entry++) {
      release(entry);
    }
  }

  private void release(int entry) {
    next[entry] = unused;
    unused = entry;
    unusedCount++;
  }

  void push(long address, long sizeBytes) {
    int bin = (int) (sizeBytes >>> 3);
    int entry = unused;
    unused = next[entry];
    unusedCount--;
    addresses[entry] = address;
    next[entry] = heads[bin];
    heads[bin] = entry;
    mask[bin >>> 6] |= 1L << bin;
  }

  /** The first bin from one on that has entries; -1 if there is none. */
  int nextBin(int from) {
    return FreeWords.nextBit(mask, from);
  }

  /**
   * Takes the first bytes of the latest block of a bin, whose words are no longer free then; {@link
   * FreeBlocks#NONE} if the bin is empty.
   */
  long popFirst(int bin, long sizeBytes) {
    for (int entry = heads[bin]; entry != 0; entry = heads[bin]) {
      long address = addresses[entry];
      removeFirst(bin, entry);
      if (words.takeBlock(address, bin, (int) (sizeBytes >>> 3))) {
        return address;
      }
    }
    return FreeBlocks.NONE;
  }

  private void removeFirst(int bin, int entry) {
    int after = next[entry];
    heads[bin] = after;
    // No branch: whether there is another one can only be guessed.
    mask[bin >>> 6] &= ~(1L << bin) | (long) (-after >>> 31) << bin;
    release(entry);
  }

  /** Takes a block with so many aligned bytes out of a bin; {@link FreeBlocks#NONE} if none has. */
  long pop(int bin, long sizeBytes, long alignmentBytes) {
    int probes = 0;
    int before = 0;
    for (int entry = heads[bin]; entry != 0 && probes < MAX_PROBES; ) {
      int after = next[entry];
      long address = addresses[entry];
      boolean isBlock = words.isBlock(address, bin);
      long gap = -address & (alignmentBytes - 1);
      if (isBlock && gap + sizeBytes > (long) bin << 3) {
        before = entry;
        probes++;
      } else {
        remove(bin, before, entry);
        if (isBlock) {
          return address;
        }
      }
      entry = after;
    }
    return FreeBlocks.NONE;
  }

  private void remove(int bin, int before, int entry) {
    if (before == 0) {
      removeFirst(bin, entry);
    } else {
      next[before] = next[entry];
      release(entry);
    }
  }

  /** Lets entries go that name no block of their bin, or one that another entry names. */
  private void sweep() {
    for (int bin = nextBin(1); bin >= 0; bin = nextBin(bin + 1)) {
      int before = 0;
      for (int entry = heads[bin]; entry != 0; ) {
        int after = next[entry];
        if (words.isBlock(addresses[entry], bin)) {
          before = entry;
          words.clear(addresses[entry], 8); // a second entry finds no block here
        } else {
          remove(bin, before, entry);
        }
        entry = after;
      }
      for (int entry = heads[bin]; entry != 0; entry = next[entry]) {
        words.set(addresses[entry], 8);
      }
    }
  }

  /** Whether all entries are in a list, each in the bin that is marked; the blocks they name. */
  Set<Long> verify() {
    Set<Long> blocks = new HashSet<>();
    int count = 1 + unusedCount;
    for (int bin = 0; bin < BIN_COUNT; bin++) {
      boolean marked = (mask[bin >>> 6] & (1L << bin)) != 0;
      FreeBlocks.check(marked == (heads[bin] != 0), "INV-FREE-2: mask", bin);
      for (int entry = heads[bin]; entry != 0; entry = next[entry]) {
        count++;
        if (words.isBlock(addresses[entry], bin)) {
          blocks.add(addresses[entry]);
        }
      }
    }
    FreeBlocks.check(count == next.length, "INV-FREE-2: entries", count);
    return blocks;
  }
}
