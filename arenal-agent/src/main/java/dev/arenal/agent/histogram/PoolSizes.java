package dev.arenal.agent.histogram;

/** The sizes a pool may have that are tried on the program's arenas: powers of two. */
final class PoolSizes {
  static final int SMALLEST_BYTES = 8;
  static final int LARGEST_BYTES = 64 << 10;

  /** From the smallest to the largest. */
  static final int COUNT = 14;

  private static final int SMALLEST_LOG2 = 3;
  private static final int WORD_BYTES = 8;
  private static final int USUAL_ALIGNMENT = 16;

  private PoolSizes() {}

  static int sizeBytes(int index) {
    return SMALLEST_BYTES << index;
  }

  /** The first size that holds so many bytes; {@link #COUNT} if none does. */
  static int indexOf(long bytes) {
    if (bytes <= SMALLEST_BYTES) {
      return 0;
    }
    int log2 = Long.SIZE - Long.numberOfLeadingZeros(bytes - 1);
    return Math.min(COUNT, log2 - SMALLEST_LOG2);
  }

  /** Where malloc would have put it, and so where a program may expect it. */
  static long alignment(long bytes, long requested) {
    return Math.max(requested, bytes <= WORD_BYTES ? WORD_BYTES : USUAL_ALIGNMENT);
  }

  /** Where an allocation ends that begins at the first fitting place behind {@code used} bytes. */
  static long end(long used, long bytes, long alignment) {
    long end = ((used + alignment - 1) & -alignment) + bytes;
    // Beyond all sizes is beyond all sizes.
    return end < used ? Long.MAX_VALUE >> 1 : end;
  }
}
