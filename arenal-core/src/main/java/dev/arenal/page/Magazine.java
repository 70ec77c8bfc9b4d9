package dev.arenal.page;

import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.Span;

/**
 * Free buffers of about one size at hand: the last one that came goes first. After Bonwick and
 * Adams, "Magazines and Vmem" (2001).
 *
 * <p>To the heaps they are in use. A piece is one number: the id of the {@link Span}, the first
 * slot or unit, how many, and whether the memory is zero. Its address stands beside it, so that a
 * request looks at nothing but the magazine.
 *
 * <p>Not thread-safe: the lock of the {@link Rack} guards it.
 */
final class Magazine {
  private static final int ID_SHIFT = 32;
  static final long ZERO = 1L << 31;

  /** Its steps are units of a medium page; of a small one otherwise. */
  static final long MEDIUM = 1L << 63;

  private static final int COUNT_SHIFT = 16;
  private static final int COUNT_MASK = 0x7fff;
  private static final int FROM_MASK = 0xffff;

  /** Fewer would go to the heaps and back too often. */
  private static final int LEAST_CAPACITY = 4;

  private static final int MOST_CAPACITY = 32;

  /** Of fewer at a time a rack would come back too soon. */
  static final int LEAST_MOVED = 8;

  /** Together about so many: few ranges at hand would be gone with each change of the load. */
  private static final int BYTES = 512 << 10;

  /** So many words of an array, and before it, are no entries: a cache line, and its neighbour. */
  private static final int GAP = 16;

  /** Where the first entry is, in {@link #entries}. */
  static final int FIRST = GAP;

  /**
   * Pieces, each with its address behind it, from {@link #FIRST} on. Nothing that another rack
   * writes is in the cache lines of the entries, nor in that of the length of the array.
   */
  final long[] entries;

  @SuppressWarnings("unused")
  private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;

  /**
   * How many there are. A long, since HotSpot has an int in the gap behind the header, in front of
   * all padding; and the object before it may be the magazine of another rack.
   */
  long count;

  @SuppressWarnings("unused")
  private long pad8, pad9, pad10, pad11, pad12, pad13, pad14, pad15;

  /** How many there may be. */
  final int capacity;

  /** The size of each, or 0 where they are ranges of about one size. */
  final int slotBytes;

  /** About the size of each. */
  final long pieceBytes;

  /** The least count since the last cycle: so many were not needed. */
  int lowest;

  Magazine(boolean isOfSlots, long pieceBytes) {
    capacity = Math.clamp(BYTES / Math.max(1, pieceBytes), LEAST_CAPACITY, MOST_CAPACITY);
    entries = new long[GAP + 2 * capacity + GAP];
    this.pieceBytes = pieceBytes;
    slotBytes = isOfSlots ? (int) pieceBytes : 0;
  }

  /** There is room for it. Calls nothing. */
  void add(long piece, long address) {
    int at = FIRST + 2 * (int) count;
    entries[at] = piece;
    entries[at + 1] = address;
    count++;
  }

  /** The piece of an entry. */
  long piece(int index) {
    return entries[FIRST + 2 * index];
  }

  /** The address of an entry. */
  long address(int index) {
    return entries[FIRST + 2 * index + 1];
  }

  boolean isFull() {
    return count == capacity;
  }

  /** So many are fetched or given back at a time. */
  int half() {
    return capacity / 2;
  }

  /** Moves the oldest ones to the end, from where they are given back. */
  void turnOldestToTheEnd(int oldestCount) {
    reverse(0, oldestCount);
    reverse(oldestCount, (int) count);
    reverse(0, (int) count);
  }

  /** The others stay in their order. Calls nothing: no piece is there twice meanwhile. */
  void moveToTheEnd(int index) {
    int at = FIRST + 2 * index;
    int last = FIRST + 2 * (int) count - 2;
    long piece = entries[at];
    long address = entries[at + 1];
    for (; at < last; at += 2) {
      entries[at] = entries[at + 2];
      entries[at + 1] = entries[at + 3];
    }
    entries[last] = piece;
    entries[last + 1] = address;
  }

  private void reverse(int from, int to) {
    for (int low = FIRST + 2 * from, high = FIRST + 2 * to - 2; low < high; low += 2, high -= 2) {
      long piece = entries[low];
      entries[low] = entries[high];
      entries[high] = piece;
      long address = entries[low + 1];
      entries[low + 1] = entries[high + 1];
      entries[high + 1] = address;
    }
  }

  static long piece(int id, int from, int count, boolean isZero) {
    return ((long) id << ID_SHIFT) | (isZero ? ZERO : 0) | ((long) count << COUNT_SHIFT) | from;
  }

  static int id(long piece) {
    return (int) (piece >>> ID_SHIFT) & Integer.MAX_VALUE;
  }

  /** Bytes of a range of units, without a look at its span. */
  static long rangeBytes(long piece) {
    int unitBytes = piece < 0 ? HeapPage.MEDIUM_UNIT_BYTES : HeapPage.SMALL_UNIT_BYTES;
    return (long) count(piece) * unitBytes;
  }

  static int from(long piece) {
    return (int) piece & FROM_MASK;
  }

  static int count(long piece) {
    return (int) (piece >>> COUNT_SHIFT) & COUNT_MASK;
  }

  static boolean isZero(long piece) {
    return (piece & ZERO) != 0;
  }
}
