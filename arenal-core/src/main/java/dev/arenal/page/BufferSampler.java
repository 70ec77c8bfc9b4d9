package dev.arenal.page;

/**
 * Says of each request whether its buffer is watched, and for how many buffers it stands.
 *
 * <p>Each of a few rows counts the requests of the threads that share it. Threads may lose each
 * other's counts: nothing depends on them but an estimate. The place of birth takes a microsecond or
 * ten, so a row gives no more than one sample in a millisecond, however many requests there are.
 */
final class BufferSampler {
  private static final int COUNT_ROWS = 64;

  /** A cache line of numbers a row. */
  private static final int ROW_SHIFT = 4;

  private static final int SKIPPED = 1;
  private static final long LEAST_NANOS = 1_000_000;

  private final int period;

  /** Of each row: the requests until the next sample, and those that were passed over. */
  private final int[] rows = new int[COUNT_ROWS << ROW_SHIFT];

  private final long[] lastNanos = new long[COUNT_ROWS];

  /** One in so many; 1 is each. */
  BufferSampler(int period) {
    this.period = period;
    long longAgo = System.nanoTime() - LEAST_NANOS;
    for (int row = 0; row < COUNT_ROWS; row++) {
      rows[row << ROW_SHIFT] = period - 1;
      lastNanos[row] = longAgo;
    }
  }

  /** For how many buffers the next one stands; 0 if it is not watched. */
  int nextWeight() {
    int row = (int) Thread.currentThread().threadId() & (COUNT_ROWS - 1);
    int at = row << ROW_SHIFT;
    int rest = rows[at];
    rows[at] = rest - 1;
    return rest > 0 ? 0 : weigh(row, at);
  }

  private int weigh(int row, int at) {
    rows[at] = period - 1;
    if (period == 1) {
      return 1;
    }
    long nowNanos = System.nanoTime();
    int skipped = rows[at + SKIPPED];
    if (nowNanos - lastNanos[row] < LEAST_NANOS) {
      rows[at + SKIPPED] = skipped + period;
      return 0;
    }
    lastNanos[row] = nowNanos;
    rows[at + SKIPPED] = 0;
    return skipped + period;
  }
}
