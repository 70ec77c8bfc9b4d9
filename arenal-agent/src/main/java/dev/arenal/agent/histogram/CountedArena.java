package dev.arenal.agent.histogram;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena that counts what it allocated when it is closed. Everything else is the business
 * of the arena behind it, exceptions included: only what succeeded is counted.
 */
public final class CountedArena implements Arena {
  private final Arena arena;
  private final Counters counters;
  private long bytes;
  private long countAllocations;

  /** Where the next allocation would begin in a pool without end. */
  private long poolEnd;

  /**
   * How much of each pool size is used, for sizes in which something did not fit. Most arenas never
   * need it.
   */
  private int @Nullable [] usedOfPools;

  private boolean isCounted;

  private CountedArena(Arena arena, Counters counters) {
    this.arena = arena;
    this.counters = counters;
  }

  /** Counts an arena that the current thread has just opened. */
  public static Arena of(Arena arena) {
    Counters counters = ArenaCounts.ofThisThread();
    counters.add(Counters.OPENED, 1);
    return new CountedArena(arena, counters);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
    bytes += byteSize;
    countAllocations++;
    counters.add(Counters.ALLOCATIONS, 1);
    countInPools(Math.max(1, byteSize), byteAlignment);
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    try {
      arena.close();
    } catch (WrongThreadException e) {
      // Another thread may not even look at the figures.
      throw e;
    } catch (Throwable e) {
      // A cleanup action may throw; the arena is closed all the same.
      if (!isCounted && !arena.scope().isAlive()) {
        count();
      }
      throw e;
    }
    count();
  }

  private void count() {
    isCounted = true;
    if (bytes < Counters.COUNT_EXACT) {
      counters.add(Counters.EXACT + (int) bytes, 1);
    } else {
      int log2 = log2(bytes) - Counters.FIRST_LOG2;
      counters.add(Counters.LARGER_ARENAS + log2, 1);
      counters.add(Counters.LARGER_BYTES + log2, bytes);
    }
    if (countAllocations > 0) {
      counters.add(Counters.POOL_ARENAS + PoolSizes.indexOf(poolEnd), 1);
      counters.add(Counters.PER_ARENA + log2(countAllocations), 1);
    }
  }

  private static int log2(long value) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
  }

  /** What pools of all sizes would have done: serve it, or not and go on with the next. */
  private void countInPools(long needBytes, long requestedAlignment) {
    long alignment = PoolSizes.alignment(needBytes, requestedAlignment);
    long before = poolEnd;
    long after = PoolSizes.end(before, needBytes, alignment);
    poolEnd = after;
    int first = PoolSizes.indexOf(after);
    // In these sizes nothing was refused yet, so all of them do the same.
    counters.add(Counters.POOL_ALLOCATIONS + first, 1);
    if (before > 0 && first > 0) {
      countInFullPools(before, first, needBytes, alignment);
    }
  }

  private void countInFullPools(long before, int first, long needBytes, long alignment) {
    int refusedBefore = PoolSizes.indexOf(before);
    int[] used = usedOfPools;
    for (int i = PoolSizes.indexOf(needBytes); i < refusedBefore; i++) {
      long end = PoolSizes.end(used == null ? 0 : used[i], needBytes, alignment);
      if (end <= PoolSizes.sizeBytes(i)) {
        used = used == null ? new int[PoolSizes.COUNT] : used;
        used[i] = (int) end;
        counters.add(Counters.POOL_LATER_ALLOCATIONS + i, 1);
      }
    }
    for (int i = refusedBefore; i < first; i++) {
      used = used == null ? new int[PoolSizes.COUNT] : used;
      used[i] = (int) before;
    }
    usedOfPools = used;
  }
}
