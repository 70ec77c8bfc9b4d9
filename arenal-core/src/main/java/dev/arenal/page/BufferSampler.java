package dev.arenal.page;

import dev.arenal.guard.WatchMode;

/**
 * Says which requests are watched, and for how many buffers each stands.
 *
 * <p>Each counter of requests has one number, a draw: how many requests are left until the one that
 * is watched, and the mark of that one, which says for how many it stands. Draws are random, since
 * a program that asks for the same buffers in turn would have the same one watched always. On
 * average one request in a power of two is watched. A stack costs a microsecond or some, so that
 * power doubles while more than a thousand are watched in a second, within bounds.
 *
 * <p><b>Threading:</b> any thread, without a lock. Threads may lose each other's counts and
 * figures: nothing depends on them but an estimate.
 */
final class BufferSampler {
  /**
   * The share of a draw that one request takes, above the mark in its low byte; a draw that would
   * become negative is used up.
   */
  static final long REQUEST = 1 << 8;

  /** One in 65,536: more than all processors of a machine ask for in a millisecond. */
  private static final int MOST_LOG = 16;

  private static final long LEAST_NANOS = 1_000_000;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final int ROW_COUNT = 16;

  /** Two cache lines of numbers a row. */
  private static final int ROW_SHIFT = 4;

  private final int leastLog;
  private final WatchMode mode;

  /** The draws of threads that come here without one; racy. */
  private final long[] rows = new long[ROW_COUNT << ROW_SHIFT];

  /** The power of two; racy. */
  private int log;

  /** When the last one was watched; racy. */
  private long lastNanos;

  /** Racy. */
  private long seed;

  /**
   * Watches none, each, or one in 2^leastLog and fewer where they come fast.
   *
   * @param seed of the draws
   */
  BufferSampler(WatchMode mode, int leastLog, long seed) {
    this.mode = mode;
    this.leastLog = mode == WatchMode.SAMPLE ? leastLog : 0;
    this.log = this.leastLog;
    this.seed = seed;
    this.lastNanos = System.nanoTime() - 2 * LEAST_NANOS;
    for (int row = 0; row < ROW_COUNT; row++) {
      rows[row << ROW_SHIFT] = draw();
    }
  }

  /** For how many buffers one with that mark stands; 0 if it is not watched. */
  static int weight(int mark) {
    return mark == 0 ? 0 : 1 << (mark - 1);
  }

  /** The mark of a draw. */
  static int mark(long draw) {
    return (byte) draw;
  }

  /** The mark of the next request of the thread; 0 if it is not watched. */
  int nextMark() {
    int at = ((int) Thread.currentThread().threadId() & (ROW_COUNT - 1)) << ROW_SHIFT;
    long rest = rows[at] - REQUEST;
    if (rest >= 0) {
      rows[at] = rest;
      return 0;
    }
    rows[at] = next();
    return mark(rest);
  }

  /** Another draw, after one is up. */
  long next() {
    if (mode == WatchMode.SAMPLE) {
      adapt(System.nanoTime());
    }
    return draw();
  }

  /** The one that is up at that time is watched. */
  void adapt(long nowNanos) {
    long sinceNanos = nowNanos - lastNanos;
    lastNanos = nowNanos;
    if (sinceNanos < LEAST_NANOS) {
      log = Math.min(log + 1, MOST_LOG);
    } else if (sinceNanos > 2 * LEAST_NANOS) {
      log = Math.max(log - 1, leastLog);
    }
  }

  /** A draw for a separate counter. */
  long draw() {
    if (mode == WatchMode.OFF) {
      return Long.MAX_VALUE & -REQUEST;
    }
    int power = log;
    long bound = (2L << power) - 1; // from 1 to that: on average the power of two
    return ((random() >>> 1) % bound) * REQUEST + power + 1;
  }

  /** After Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014). */
  private long random() {
    seed += GOLDEN_GAMMA;
    long bits = (seed ^ (seed >>> 30)) * 0xBF58476D1CE4E5B9L;
    bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
    return bits ^ (bits >>> 31);
  }
}
