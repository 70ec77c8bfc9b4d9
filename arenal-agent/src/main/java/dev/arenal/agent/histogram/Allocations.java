package dev.arenal.agent.histogram;

import org.jspecify.annotations.Nullable;

/**
 * The allocations of an arena that makes more than one, tried on pools of all sizes: each serves
 * what fits behind what it has served, or does not and goes on with the next.
 *
 * <p>As long as a pool has served everything, it is as full as any other that has. So the figures
 * of each pool alone are needed only from its first refusal on.
 */
final class Allocations {
  /** The used bytes of each pool that has refused a request. */
  private static final int USED = 0;

  /** Allocations by the first pool that has served everything so far. */
  private static final int SERVED = USED + PoolSizes.COUNT;

  /** Allocations that a pool has served after a refusal. */
  private static final int SERVED_LATER = SERVED + PoolSizes.COUNT + 1;

  private static final int COUNT = SERVED_LATER + PoolSizes.COUNT;

  private Allocations() {}

  /**
   * Adds the second allocation of an arena, or a later one.
   *
   * @param known the earlier result of this method; null for the second
   * @param before the bytes that an unlimited pool has used so far
   */
  static long[] add(long @Nullable [] known, long before, long blockBytes, long alignment) {
    long[] figures = known;
    if (figures == null) {
      figures = new long[COUNT];
      // The first one, which was alone until now.
      figures[SERVED + PoolSizes.indexOf(before)]++;
    }
    int first = PoolSizes.indexOf(PoolSizes.end(before, blockBytes, alignment));
    figures[SERVED + first]++;
    int firstBefore = PoolSizes.indexOf(before);
    for (int i = PoolSizes.indexOf(blockBytes); i < firstBefore; i++) {
      long end = PoolSizes.end(figures[USED + i], blockBytes, alignment);
      if (end <= PoolSizes.capacityBytes(i)) {
        figures[USED + i] = end;
        figures[SERVED_LATER + i]++;
      }
    }
    for (int i = firstBefore; i < first; i++) {
      figures[USED + i] = before;
    }
    return figures;
  }

  /** Counts them when their arena is closed. */
  static void count(
      long @Nullable [] figures, Counters counters, long allocationCount, long poolEnd) {
    counters.add(Counters.POOL_ARENAS + PoolSizes.indexOf(poolEnd), 1);
    counters.add(Counters.PER_ARENA + Counters.log2(allocationCount), 1);
    for (int i = SERVED; figures != null && i < COUNT; i++) {
      if (figures[i] != 0) {
        counters.add(Counters.POOL_ALLOCATIONS + i - SERVED, figures[i]);
      }
    }
  }
}
