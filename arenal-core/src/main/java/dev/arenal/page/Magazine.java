package dev.arenal.page;

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

  final long[] pieces;
  final long[] addresses;
  int count;

  /** The counts of one size in two racks are not in one cache line. */
  @SuppressWarnings("unused")
  private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;

  /** The size of each, or 0 where they are ranges of about one size. */
  final int slotBytes;

  /** The least count since the last cycle: so many were not needed. */
  int lowest;

  Magazine(boolean isOfSlots, long pieceBytes) {
    int capacity = capacity(pieceBytes);
    pieces = new long[capacity];
    addresses = new long[capacity];
    slotBytes = isOfSlots ? (int) pieceBytes : 0;
  }

  /** An empty one for the same. */
  Magazine(Magazine other) {
    pieces = new long[other.pieces.length];
    addresses = new long[other.addresses.length];
    slotBytes = other.slotBytes;
  }

  /** There is room for it. Calls nothing. */
  void add(long piece, long address) {
    pieces[count] = piece;
    addresses[count] = address;
    count++;
  }

  private static int capacity(long pieceBytes) {
    return Math.clamp(BYTES / Math.max(1, pieceBytes), LEAST_CAPACITY, MOST_CAPACITY);
  }

  boolean isFull() {
    return count == pieces.length;
  }

  /** So many are fetched or given back at a time. */
  int half() {
    return pieces.length / 2;
  }

  /** Moves the oldest ones to the end, from where they are given back. */
  void turnOldestToTheEnd(int oldestCount) {
    reverse(0, oldestCount);
    reverse(oldestCount, count);
    reverse(0, count);
  }

  /** The others stay in their order. Calls nothing: no piece is there twice meanwhile. */
  void moveToTheEnd(int index) {
    long piece = pieces[index];
    long address = addresses[index];
    for (int i = index; i < count - 1; i++) {
      pieces[i] = pieces[i + 1];
      addresses[i] = addresses[i + 1];
    }
    pieces[count - 1] = piece;
    addresses[count - 1] = address;
  }

  private void reverse(int from, int to) {
    for (int low = from, high = to - 1; low < high; low++, high--) {
      long piece = pieces[low];
      pieces[low] = pieces[high];
      pieces[high] = piece;
      long address = addresses[low];
      addresses[low] = addresses[high];
      addresses[high] = address;
    }
  }

  static long piece(int id, int from, int count, boolean isZero) {
    return ((long) id << ID_SHIFT) | (isZero ? ZERO : 0) | ((long) count << COUNT_SHIFT) | from;
  }

  static int id(long piece) {
    return (int) (piece >>> ID_SHIFT);
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
