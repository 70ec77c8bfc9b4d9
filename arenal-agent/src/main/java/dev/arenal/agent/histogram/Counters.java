package dev.arenal.agent.histogram;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A block of counters: those of one platform thread, which alone adds to them and so needs no
 * atomic instruction, or those that virtual threads share.
 */
final class Counters {
  static final int COUNT_EXACT = 64;
  static final int FIRST_LOG2 = 6;
  static final int COUNT_LOG2 = Long.SIZE - FIRST_LOG2;
  static final int COUNT_PER_ARENA = Long.SIZE;

  static final int OPENED = 0;
  static final int EXACT = 1;
  static final int LARGER_ARENAS = EXACT + COUNT_EXACT;
  static final int LARGER_BYTES = LARGER_ARENAS + COUNT_LOG2;

  /** Arenas with one allocation, by the first pool size that holds it; the last is for none. */
  static final int SINGLE = LARGER_BYTES + COUNT_LOG2;

  /** Those with more, by the first pool size that holds all of them. */
  static final int POOL_ARENAS = SINGLE + PoolSizes.COUNT + 1;

  /** Their allocations, by the first pool size that holds it and all before it in its arena. */
  static final int POOL_ALLOCATIONS = POOL_ARENAS + PoolSizes.COUNT + 1;

  /** By each pool size that holds it although something before it did not fit. */
  static final int POOL_LATER_ALLOCATIONS = POOL_ALLOCATIONS + PoolSizes.COUNT + 1;

  static final int PER_ARENA = POOL_LATER_ALLOCATIONS + PoolSizes.COUNT;
  static final int COUNT = PER_ARENA + COUNT_PER_ARENA;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] counts = new long[COUNT];
  private final boolean isShared;

  Counters(boolean isShared) {
    this.isShared = isShared;
  }

  /** Adds; a thread that sees the sum also sees all earlier additions of the same thread. */
  void add(int index, long delta) {
    if (isShared) {
      var _ = (long) LONGS.getAndAdd(counts, index, delta);
    } else {
      LONGS.setRelease(counts, index, (long) LONGS.getOpaque(counts, index) + delta);
    }
  }

  void addClosed(long bytes) {
    if (bytes < COUNT_EXACT) {
      add(EXACT + (int) bytes, 1);
    } else {
      int log2 = log2(bytes) - FIRST_LOG2;
      add(LARGER_ARENAS + log2, 1);
      add(LARGER_BYTES + log2, bytes);
    }
  }

  static int log2(long value) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
  }

  /** Adds all figures to others. */
  void addTo(long[] sums) {
    // Backwards: an arena that has been counted as closed is counted as opened too.
    for (int i = COUNT - 1; i >= 0; i--) {
      sums[i] = Sums.add(sums[i], (long) LONGS.getAcquire(counts, i));
    }
  }
}
