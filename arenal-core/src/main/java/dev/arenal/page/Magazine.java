package dev.arenal.page;

/**
 * Free buffers of about one size, ready to be handed out: the last one that came goes first. After
 * Bonwick and Adams, "Magazines and Vmem" (2001).
 *
 * <p>To the heaps they are in use. An entry is one number: the id of the {@link Place}, the first
 * slot or unit, how many, and whether the memory is zero.
 *
 * <p>Not thread-safe: the lock of the {@link Rack} guards it.
 */
final class Magazine {
  private static final int ID_SHIFT = 32;
  private static final long ZERO = 1L << 31;
  private static final int COUNT_SHIFT = 16;
  private static final int COUNT_MASK = 0x7fff;
  private static final int FROM_MASK = 0xffff;

  /** Fewer would go to the heaps and back too often. */
  private static final int LEAST_CAPACITY = 4;

  private static final int MOST_CAPACITY = 32;

  /** Together about so many. */
  private static final int BYTES = 32 << 10;

  final long[] entries;
  int count;

  /** The least count since the last cycle: so many were not needed. */
  int lowest;

  Magazine(long entryBytes) {
    entries = new long[capacity(entryBytes)];
  }

  private static int capacity(long entryBytes) {
    return Math.clamp(BYTES / Math.max(1, entryBytes), LEAST_CAPACITY, MOST_CAPACITY);
  }

  boolean isFull() {
    return count == entries.length;
  }

  /** So many are fetched or given back at a time. */
  int half() {
    return entries.length / 2;
  }

  /** Moves the oldest ones to the end, from where they are given back. */
  void turnOldestToTheEnd(int countOldest) {
    reverse(0, countOldest);
    reverse(countOldest, count);
    reverse(0, count);
  }

  private void reverse(int from, int to) {
    for (int low = from, high = to - 1; low < high; low++, high--) {
      long entry = entries[low];
      entries[low] = entries[high];
      entries[high] = entry;
    }
  }

  /** Whether an entry can say it. */
  static boolean fits(int from, int count) {
    return from <= FROM_MASK && count <= COUNT_MASK;
  }

  static long entry(int id, int from, int count, boolean isZero) {
    return ((long) id << ID_SHIFT) | (isZero ? ZERO : 0) | ((long) count << COUNT_SHIFT) | from;
  }

  static int id(long entry) {
    return (int) (entry >>> ID_SHIFT);
  }

  static int from(long entry) {
    return (int) entry & FROM_MASK;
  }

  static int count(long entry) {
    return (int) (entry >>> COUNT_SHIFT) & COUNT_MASK;
  }

  static boolean isZero(long entry) {
    return (entry & ZERO) != 0;
  }
}
