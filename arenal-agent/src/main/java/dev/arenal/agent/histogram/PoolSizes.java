package dev.arenal.agent.histogram;

/**
 * The pool sizes that are simulated for the program's arenas: powers of two. An allocation takes
 * the same bytes as in the pool of {@code PooledArena}.
 */
final class PoolSizes {
  static final int SMALLEST_BYTES = 8;

  /** From 8 bytes to 16 KiB, the largest that the pool takes. */
  static final int COUNT = 12;

  private static final int SMALLEST_LOG2 = 3;

  /** Blocks start at multiples of it and are multiples of it, and so is the smallest pool. */
  private static final int BLOCK_BYTES = 16;

  /** How the pool itself is aligned. */
  private static final int POOL_ALIGNMENT = 64;

  /** Larger than any pool, and small enough to be added to. */
  private static final long NEVER_FITS = Long.MAX_VALUE >> 2;

  private PoolSizes() {}

  static int sizeBytes(int index) {
    return SMALLEST_BYTES << index;
  }

  /** The usable bytes of a pool. */
  static int capacityBytes(int index) {
    return Math.max(BLOCK_BYTES, sizeBytes(index));
  }

  /** The first size that holds so many bytes; {@link #COUNT} if none does. */
  static int indexOf(long bytes) {
    if (bytes <= BLOCK_BYTES) {
      return 0;
    }
    int log2 = Long.SIZE - Long.numberOfLeadingZeros(bytes - 1);
    return Math.min(COUNT, log2 - SMALLEST_LOG2);
  }

  /** The block for a request. */
  static long blockBytes(long requestedBytes, long alignment) {
    if (alignment > POOL_ALIGNMENT || requestedBytes > NEVER_FITS) {
      return NEVER_FITS;
    }
    return (Math.max(1, requestedBytes) + BLOCK_BYTES - 1) & -BLOCK_BYTES;
  }

  /** Where a block ends that begins at the first fitting place behind {@code used} bytes. */
  static long end(long used, long blockBytes, long alignment) {
    if (used + blockBytes >= NEVER_FITS) {
      return NEVER_FITS;
    }
    return ((used + alignment - 1) & -alignment) + blockBytes;
  }
}
