package dev.arenal.agent.histogram;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena that counts its allocations when it is closed. The arena behind it does
 * everything else, exceptions included: only successful allocations are counted.
 */
public final class CountedArena implements Arena {
  private final Arena arena;
  private final Counters counters;
  private long bytes;
  private long allocationCount;

  /** Where the next allocation would begin in a pool without end. */
  private long poolEnd;

  /** The simulated pools, from the second allocation on; see {@link Allocations}. */
  private long @Nullable [] allocations;

  private boolean isCounted;

  private CountedArena(Arena arena, Counters counters) {
    this.arena = arena;
    this.counters = counters;
  }

  /**
   * Initialises all that counting needs, while there is stack and memory: a class that could not be
   * initialised at a bad moment never can again, and the program's sites would fail for ever.
   */
  public static void prepare() {
    var _ = ArenaCounts.snapshot();
    try (CountedArena arena = new CountedArena(Arena.ofConfined(), new Counters(false))) {
      var _ = arena.allocate(8, 8);
      var _ = arena.allocate(8, 8);
      var _ = arena.allocate(8, 8);
    }
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
    long before = poolEnd;
    bytes += byteSize;
    long block = PoolSizes.blockBytes(byteSize, byteAlignment);
    if (allocationCount++ == 0) {
      poolEnd = block;
    } else {
      // Without this object among the arguments: it need not exist then.
      allocations = Allocations.add(allocations, before, block, byteAlignment);
      poolEnd = PoolSizes.end(before, block, byteAlignment);
    }
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
    } catch (Throwable e) {
      // Another thread may not even look at the figures. A cleanup action may throw: the arena is
      // closed all the same.
      if (!(e instanceof WrongThreadException) && !arena.scope().isAlive()) {
        count();
      }
      throw e;
    }
    count();
  }

  private void count() {
    if (isCounted) { // a cleanup action closed this arena once more
      return;
    }
    isCounted = true;
    counters.addClosed(bytes);
    if (allocationCount == 1) {
      counters.add(Counters.SINGLE + PoolSizes.indexOf(poolEnd), 1);
    } else if (allocationCount > 1) {
      Allocations.count(allocations, counters, allocationCount, poolEnd);
    }
  }
}
