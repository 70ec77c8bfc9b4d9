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
  /** Returned by {@link #expectedBytes} if too little is known, or nothing bounds the growth. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  /** Fewer arenas than this say nothing about the next. */
  private static final int MIN_SAMPLES = 8;

  private static final int HALVE_AT = 256;

  private static final int COUNT_ALL_UP_TO = 16;
  private static final int COUNT_ONE_IN = 8;

  private final AtomicIntegerArray reached;

  /** Threads may lose each other's increments here as well. */
  private int births;

  GrowthHistory(long granuleBytes) {
    reached = new AtomicIntegerArray(stepOf(256 * granuleBytes) + 1);
  }

  /** Whether the arena that is being opened is to be counted. */
  boolean countsNextPlain() {
    int birth = births;
    births = (birth + 1) & Integer.MAX_VALUE;
    return birth < COUNT_ALL_UP_TO || birth % COUNT_ONE_IN == 0;
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
   * @return at least {@code sizeBytes}; twice the end of the ladder if half of them go beyond it
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
    int last = reached.length() - 1;
    return step == last ? 2 * sizeOf(last) : sizeOf(step + 1);
  }

  /**
   * The size that nine of ten arenas reached that became as large as {@code sizeBytes}.
   *
   * @return 0 if too little is known
   */
  long likelyBytes(long sizeBytes) {
    int step = stepOf(sizeBytes);
    if (step >= reached.length()) {
      return 0;
    }
    int samples = reached.getOpaque(step);
    if (samples < MIN_SAMPLES) {
      return 0;
    }
    while (step + 1 < reached.length() && 10 * reached.getOpaque(step + 1) >= 9 * samples) {
      step++;
    }
    return sizeOf(step);
  }
}
