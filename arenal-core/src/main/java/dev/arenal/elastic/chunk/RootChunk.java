package dev.arenal.elastic.chunk;

import java.util.Arrays;

/**
 * The buddy state of one root chunk: which of its chunks are free, and which of those are
 * committed.
 *
 * <p>A bit per possible chunk, numbered as in a heap: the chunk {@code slot} of level {@code l} is
 * bit {@code 2^l + slot}. 4 KiB of bits for 16 MiB, a word as long as the root has not been split
 * into small chunks, no links and no object per chunk, and the lowest free address is found first,
 * which keeps the low end of the space dense. HotSpot's metaspace keeps 72 bytes a chunk, and free
 * lists without an order.
 *
 * <p>INV-CHUNK-1: free chunks do not overlap. INV-CHUNK-2: two free buddies of one level do not
 * exist; they are one chunk of the level above. Committed means: holds a committed granule. Only
 * chunks that cover whole granules are ever marked so. Guarded by the lock of the space.
 */
public final class RootChunk {
  private static final int WORDS = (2 * Chunk.ROOT_UNITS) / Long.SIZE;

  /** Number of this root in its space. */
  final int index;

  /** Number of granules. */
  private final int granuleCount;

  /** Only the first word, until chunks of level 6 or below are {@linkplain #prepare prepared}. */
  private long[] free = new long[1];

  private long[] committed = new long[1];

  /** A bit for each granule that is cut: it is no part of one chunk, but has smaller ones. */
  private long[] cut = new long[1];

  private final short[] freeCount = new short[Chunk.LEVEL_COUNT];
  private final short[] committedCount = new short[Chunk.LEVEL_COUNT];

  /** No bit of a level is set in a word before its hint. */
  private final short[] hint = new short[Chunk.LEVEL_COUNT];

  /**
   * @param granuleLevels number of levels whose chunks cover whole granules
   */
  RootChunk(int index, int granuleLevels) {
    this.index = index;
    this.granuleCount = 1 << (granuleLevels - 1);
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      hint[level] = (short) firstWord(level);
    }
  }

  /** Makes room for chunks down to a level, so that nothing needs the heap half-way. */
  void prepare(int level) {
    if (firstWord(level) >= free.length) {
      long[] moreFree = Arrays.copyOf(free, WORDS);
      committed = Arrays.copyOf(committed, Math.max(1, 2 * granuleCount / Long.SIZE));
      cut = Arrays.copyOf(cut, Math.max(1, granuleCount / Long.SIZE));
      free = moreFree;
    }
  }

  boolean isFree(int level, int slot) {
    return isSet(free, (1 << level) + slot);
  }

  boolean isCommitted(int level, int slot) {
    return isSet(committed, (1 << level) + slot);
  }

  private static boolean isSet(long[] bits, int bit) {
    int word = bit >>> 6;
    return word < bits.length && (bits[word] & (1L << bit)) != 0;
  }

  int freeCount(int level) {
    return freeCount[level];
  }

  int committedCount(int level) {
    return committedCount[level];
  }

  void setFree(int level, int slot) {
    int bit = (1 << level) + slot;
    assert !isFree(level, slot) : "freed twice: level=" + level + ", slot=" + slot;
    free[bit >>> 6] |= 1L << bit;
    freeCount[level]++;
    hint[level] = (short) Math.min(hint[level], bit >>> 6);
  }

  void clearFree(int level, int slot) {
    int bit = (1 << level) + slot;
    assert isFree(level, slot) : "not free: level=" + level + ", slot=" + slot;
    free[bit >>> 6] &= ~(1L << bit);
    freeCount[level]--;
  }

  /** Changes whether a chunk is committed; it must not be so already. */
  void setCommitted(int level, int slot, boolean value) {
    int bit = (1 << level) + slot;
    if (value) {
      committed[bit >>> 6] |= 1L << bit;
      committedCount[level]++;
    } else {
      committed[bit >>> 6] &= ~(1L << bit);
      committedCount[level]--;
    }
  }

  /** Notes that a granule is cut, or whole again; its chunks have been prepared. */
  void setCut(int granule, boolean value) {
    if (value) {
      cut[granule >>> 6] |= 1L << granule;
    } else {
      cut[granule >>> 6] &= ~(1L << granule);
    }
  }

  /** The first granule from {@code from} on that is cut, or is whole; or -1. */
  int nextGranule(int from, boolean isCut) {
    for (int at = from; at < granuleCount; at = (at & -Long.SIZE) + Long.SIZE) {
      long word = at >>> 6 < cut.length ? cut[at >>> 6] : 0;
      long found = (isCut ? word : ~word) & (-1L << at);
      if (found != 0) {
        int granule = (at & -Long.SIZE) + Long.numberOfTrailingZeros(found);
        return granule < granuleCount ? granule : -1;
      }
    }
    return -1;
  }

  /** The free slot of this level at the lowest address, or -1. */
  int firstFree(int level) {
    if (freeCount[level] == 0) {
      return -1;
    }
    int slot = first(free, level, hint[level]);
    hint[level] = (short) (((1 << level) + slot) >>> 6);
    return slot;
  }

  /** The committed slot of this level at the highest address below {@code slot}, or -1. */
  int lastCommitted(int level, int slot) {
    int end = (1 << level) + slot;
    int endWord = end >>> 6;
    for (int word = Math.min(endWord, committed.length - 1); word >= firstWord(level); word--) {
      long bits = committed[word] & maskOf(level) & (word == endWord ? (1L << end) - 1 : -1L);
      if (bits != 0) {
        return (word << 6) + 63 - Long.numberOfLeadingZeros(bits) - (1 << level);
      }
    }
    return -1;
  }

  /** The free slot of this level at the lowest address from {@code slot} on, or -1. */
  int nextFree(int level, int slot) {
    return next(free, level, slot);
  }

  /** The committed slot of this level at the lowest address from {@code slot} on, or -1. */
  int nextCommitted(int level, int slot) {
    return next(committed, level, slot);
  }

  /** Estimate of the heap that this takes: the object and its arrays. */
  public long metadataBytes() {
    long bitsBytes = 3 * 16 + 8L * (free.length + committed.length + cut.length);
    return 40 + bitsBytes + 3 * (16 + 2L * hint.length);
  }

  /** Level of the free chunk that starts at {@code unit}, or -1. */
  int freeLevelAt(int unit) {
    int alignment = unit == 0 ? Chunk.LOWEST : Integer.numberOfTrailingZeros(unit);
    for (int level = Chunk.LOWEST - alignment; level <= Chunk.LOWEST; level++) {
      if (isFree(level, unit >>> (Chunk.LOWEST - level))) {
        return level;
      }
    }
    return -1;
  }

  /** Level of the free chunk that ends before {@code unit}, which is not 0; or -1. */
  int freeLevelBefore(int unit) {
    int largest = Chunk.LOWEST - Integer.numberOfTrailingZeros(unit);
    for (int level = largest; level <= Chunk.LOWEST; level++) {
      if (isFree(level, (unit >>> (Chunk.LOWEST - level)) - 1)) {
        return level;
      }
    }
    return -1;
  }

  private static int next(long[] bits, int level, int slot) {
    int from = (1 << level) + slot;
    if (from >= 2 << level || from >>> 6 >= bits.length) {
      return -1;
    }
    long found = bits[from >>> 6] & maskOf(level) & (-1L << from);
    return found != 0
        ? (from & -Long.SIZE) + Long.numberOfTrailingZeros(found) - (1 << level)
        : first(bits, level, (from >>> 6) + 1);
  }

  private static int first(long[] bits, int level, int fromWord) {
    for (int word = fromWord; word <= lastWord(bits, level); word++) {
      long found = bits[word] & maskOf(level);
      if (found != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(found) - (1 << level);
      }
    }
    return -1;
  }

  private static int firstWord(int level) {
    return (1 << level) >>> 6;
  }

  private static int lastWord(long[] bits, int level) {
    return Math.min(((2 << level) - 1) >>> 6, bits.length - 1);
  }

  /** Levels 0 to 5 share word 0; the others fill words of their own. */
  private static long maskOf(int level) {
    return level >= 6 ? -1L : ((1L << (1 << level)) - 1) << (1 << level);
  }

  /**
   * Checks the bits against the counts and INV-CHUNK-1 and 2; O(words) and the free chunks. Marks
   * what is free.
   */
  void verify(java.util.BitSet unitsInUse) {
    int[] counts = new int[Chunk.LEVEL_COUNT];
    for (int word = 0; word < free.length; word++) {
      for (long left = free[word]; left != 0; left &= left - 1) {
        int bit = (word << 6) + Long.numberOfTrailingZeros(left);
        check(bit != 0, "INV-CHUNK-1: of no level", 0, 0);
        int level = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bit);
        counts[level]++;
        verifyFree(level, bit - (1 << level), unitsInUse);
      }
    }
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      check(counts[level] == freeCount[level], "INV-CHUNK-1: count", level, counts[level]);
    }
  }

  private void verifyFree(int level, int slot, java.util.BitSet unitsInUse) {
    check(level == 0 || !isFree(level, slot ^ 1), "INV-CHUNK-2: buddies", level, slot);
    int from = slot * Chunk.units(level);
    int next = unitsInUse.nextSetBit(from);
    boolean overlaps = next >= 0 && next < from + Chunk.units(level);
    check(!overlaps, "INV-CHUNK-1: overlap", level, slot);
    unitsInUse.set(from, from + Chunk.units(level));
  }

  private void check(boolean condition, String what, int level, int slot) {
    if (!condition) {
      throw new AssertionError(what + ": root=" + index + ", level=" + level + ", slot=" + slot);
    }
  }
}
