package dev.arenal.elastic;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * How large the arenas of one kind become: for each of a ladder of sizes, how many arenas have
 * reached it lately.
 *
 * <p>The ladder has eight steps an octave, from 256 bytes to 256 granules; beyond that the tail of
 * an arena no longer matters. Old arenas count less: all counts are halved now and then. The counts
 * are statistics: threads may lose each other's increments, and nothing but the size of a chunk
 * depends on them.
 *
 * <p>Arenas whose first blocks are about as large are of one {@linkplain #kindOf kind}: a program
 * that opens an arena for the same purpose begins it with the same block. A kind of which too
 * little is known is expected to do as all arenas do.
 */
final class GrowthHistory {
  /** Returned by {@link #expectedBytes} if too little is known, or nothing bounds the growth. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  /** Fewer arenas than this say nothing about the next. */
  private static final int MIN_SAMPLES = 8;

  private static final int HALVE_AT = 256;

  private static final int COUNT_ALL_UP_TO = 16;
  private static final int COUNT_ONE_IN = 8;

  /** Kinds of arenas: the last is of all that begin with more than 8 KiB. */
  static final int KIND_COUNT = 34;

  private final AtomicIntegerArray reached;

  /** The history of all arenas, of which these are a kind; or null if this is that one. */
  private final @Nullable GrowthHistory all;

  /** Threads may lose each other's increments here as well. */
  private int births;

  GrowthHistory(long granuleBytes, @Nullable GrowthHistory all) {
    this.all = all;
    this.reached = new AtomicIntegerArray(stepOf(256 * granuleBytes) + 1);
  }

  /** The kind of an arena whose first block is that large: four steps an octave, from 64 bytes. */
  static int kindOf(long firstBytes) {
    return firstBytes > 8192 ? KIND_COUNT - 1 : stepOf(4 * firstBytes) >> 1;
  }

  /** Whether the arena that is beginning is to be counted. */
  boolean countsNextPlain() {
    int birth = births;
    births = (birth + 1) & Integer.MAX_VALUE;
    return birth < COUNT_ALL_UP_TO || birth % COUNT_ONE_IN == 0;
  }

  int stepCount() {
    return reached.length();
  }

  /** The highest step whose size is at most {@code sizeBytes}. */
  static int stepOf(long sizeBytes) {
    if (sizeBytes < 256) {
      return (int) (sizeBytes >>> 5);
    }
    int shift = 63 - Long.numberOfLeadingZeros(sizeBytes);
    return 8 + (shift - 8) * 8 + (int) ((sizeBytes >>> (shift - 3)) & 7);
  }

  static long sizeOf(int step) {
    return step < 8 ? (long) step << 5 : (8L + (step & 7)) << (4 + (step >> 3));
  }

  /** Counts an arena that has reached a step. */
  void noteReachedOpaque(int step) {
    if (all != null) {
      all.noteReachedOpaque(step);
    }
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
    int step = stepReached(sizeBytes, 5);
    int last = reached.length() - 1;
    return step < 0 ? UNBOUNDED : step == last ? 2 * sizeOf(last) : sizeOf(step + 1);
  }

  /**
   * The size that nine of ten arenas reached that became as large as {@code sizeBytes}.
   *
   * @return 0 if too little is known
   */
  long likelyBytes(long sizeBytes) {
    int step = stepReached(sizeBytes, 9);
    return step < 0 ? 0 : sizeOf(step);
  }

  /** The step that so many tenths of them reached; -1 if too little is known. */
  private int stepReached(long sizeBytes, int tenths) {
    int step = stepOf(sizeBytes);
    if (step >= reached.length()) {
      return -1;
    }
    int samples = reached.getOpaque(step);
    if (samples < MIN_SAMPLES) {
      return all == null ? -1 : all.stepReached(sizeBytes, tenths);
    }
    while (step + 1 < reached.length() && 10 * reached.getOpaque(step + 1) >= tenths * samples) {
      step++;
    }
    return step;
  }
}
