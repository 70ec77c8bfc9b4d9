package dev.arenal.elastic;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How large the arenas of one kind become: for each of a ladder of sizes, how many arenas have
 * reached it lately.
 *
 * <p>The ladder has four steps an octave, from 256 bytes to four granules; beyond that the tail of
 * an arena no longer matters. Old arenas count less: all counts are halved now and then. The counts
 * are statistics: threads may lose each other's increments, and nothing but the size of a chunk
 * depends on them.
 */
final class GrowthHistory {
  /** What {@link #expectedBytes} answers when too little is known, or nothing bounds the growth. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  /** Fewer arenas than this say nothing about the next. */
  private static final int MIN_SAMPLES = 8;

  private static final int HALVE_AT = 1024;

  private final AtomicIntegerArray reached;

  GrowthHistory(long granuleBytes) {
    reached = new AtomicIntegerArray(stepOf(4 * granuleBytes) + 1);
  }

  int countSteps() {
    return reached.length();
  }

  /** The highest step whose size is at most {@code sizeBytes}. */
  static int stepOf(long sizeBytes) {
    if (sizeBytes < 1024) {
      return (int) (sizeBytes >>> 8);
    }
    int shift = 63 - Long.numberOfLeadingZeros(sizeBytes);
    return 4 + (shift - 10) * 4 + (int) ((sizeBytes >>> (shift - 2)) & 3);
  }

  static long sizeOf(int step) {
    return step < 4 ? (long) step << 8 : (4L + ((step - 4) & 3)) << (8 + ((step - 4) >> 2));
  }

  /** Counts an arena that has reached a step. */
  void noteReachedOpaque(int step) {
    int count = reached.getOpaque(step) + 1;
    reached.setOpaque(step, count);
    if (step == 0 && count >= HALVE_AT) {
      for (int i = 0; i < reached.length(); i++) {
        reached.setOpaque(i, reached.getOpaque(i) >>> 1);
      }
    }
  }

  /**
   * The size that half of the arenas do not exceed that became as large as {@code sizeBytes}.
   *
   * @return at least {@code sizeBytes}
   */
  long expectedBytes(long sizeBytes) {
    int step = stepOf(sizeBytes);
    if (step >= reached.length()) {
      return UNBOUNDED;
    }
    int samples = reached.getOpaque(step);
    if (samples < MIN_SAMPLES) {
      return UNBOUNDED;
    }
    while (step + 1 < reached.length() && 2 * reached.getOpaque(step + 1) >= samples) {
      step++;
    }
    return step + 1 == reached.length() ? UNBOUNDED : sizeOf(step + 1);
  }
}
