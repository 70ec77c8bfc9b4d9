package dev.arenal.lab.trace;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules that every trace follows, checked event by event by the writer and by the reader.
 *
 * <p>Each method takes an event in if it is right and returns null; otherwise it says what is wrong
 * and nothing has changed.
 */
final class TraceRules {
  private static final int SPACE_COUNT = TraceSpace.values().length;

  private final BitSet aliveArenas = new BitSet();
  private final BitSet spacesOfLoaders = new BitSet();
  private final BitSet deallocatedBlocks = new BitSet();
  private final @Nullable FreedBlocks watched;

  private long eventCount;
  private int allocationCount;
  private int deallocationCount;
  private int arenaCount;
  private int deathCount;
  private int loaderCount;
  private long allocatedWords;

  TraceRules() {
    this(null);
  }

  /**
   * Checks also that a deallocated block is of the arena it is said to be of.
   *
   * @param watched the blocks that are deallocated somewhere in the trace; keeping all blocks would
   *     cost memory for each allocation
   */
  TraceRules(@Nullable FreedBlocks watched) {
    this.watched = watched;
  }

  @Nullable String birth(int arena, TraceSpace space, int loader) {
    if (arena != arenaCount) {
      return "arena ids are not dense: arena=" + arena + " (expected " + arenaCount + ")";
    }
    if (arena == TraceLayout.MAX_ARENAS) {
      return "too many arenas: arena=" + arena;
    }
    if (loader < 0 || loader > loaderCount) {
      return "loader ids are not dense: loader=" + loader + " (expected 0.." + loaderCount + ")";
    }
    if (loader > Integer.MAX_VALUE / SPACE_COUNT - 1) {
      return "too many loaders: loader=" + loader;
    }
    int index = loader * SPACE_COUNT + space.index();
    if (spacesOfLoaders.get(index)) {
      return "a loader has one arena per space: arena="
          + arena
          + ", loader="
          + loader
          + ", space="
          + space;
    }
    spacesOfLoaders.set(index);
    aliveArenas.set(arena);
    arenaCount++;
    loaderCount = Math.max(loaderCount, loader + 1);
    eventCount++;
    return null;
  }

  @Nullable String allocate(int arena, int sizeWords, int block) {
    if (!isAlive(arena)) {
      return notAlive("allocation", arena);
    }
    if (sizeWords < 1 || sizeWords > TraceLayout.MAX_SIZE_WORDS) {
      return "size out of range: sizeWords=%s (expected 1..%s)"
          .formatted(sizeWords, TraceLayout.MAX_SIZE_WORDS);
    }
    if (block != allocationCount) {
      return "block ids are not dense: block=" + block + " (expected " + allocationCount + ")";
    }
    if (allocationCount == Integer.MAX_VALUE) {
      return "too many allocations: a trace holds at most " + Integer.MAX_VALUE;
    }
    if (watched != null) {
      watched.allocated(block, arena);
    }
    allocationCount++;
    allocatedWords += sizeWords;
    eventCount++;
    return null;
  }

  @Nullable String deallocate(int arena, int block) {
    if (!isAlive(arena)) {
      return notAlive("deallocation", arena);
    }
    if (block < 0 || block >= allocationCount) {
      return "deallocation of a block that was never allocated: block=%s (expected 0..%s)"
          .formatted(block, allocationCount - 1);
    }
    if (deallocatedBlocks.get(block)) {
      return "block is deallocated twice: block=" + block + ", arena=" + arena;
    }
    if (watched != null) {
      int owner = watched.arenaOf(block);
      if (owner != arena) {
        return ("block is deallocated in an arena that does not own it: block=%s, arena=%s"
                + " (expected arena=%s)")
            .formatted(block, arena, owner);
      }
    }
    deallocatedBlocks.set(block);
    deallocationCount++;
    eventCount++;
    return null;
  }

  @Nullable String death(int arena) {
    if (!isAlive(arena)) {
      return notAlive("death", arena);
    }
    aliveArenas.clear(arena);
    deathCount++;
    eventCount++;
    return null;
  }

  @Nullable String committed(TraceSpace space, long committedBytes) {
    if (committedBytes < 0 || committedBytes % TraceLayout.COMMIT_UNIT_BYTES != 0) {
      return ("committed bytes out of range: space=%s, committedBytes=%s (expected a"
              + " multiple of %s, at least 0)")
          .formatted(space, committedBytes, TraceLayout.COMMIT_UNIT_BYTES);
    }
    eventCount++;
    return null;
  }

  void mark() {
    eventCount++;
  }

  private boolean isAlive(int arena) {
    return arena >= 0 && aliveArenas.get(arena);
  }

  private String notAlive(String event, int arena) {
    boolean wasBorn = arena >= 0 && arena < arenaCount;
    return event
        + " in an arena that is "
        + (wasBorn ? "dead" : "not born")
        + ": arena="
        + arena
        + ", arenaCount="
        + arenaCount;
  }

  /** The blocks deallocated so far, to be given to the next pass. */
  BitSet deallocatedBlocks() {
    return deallocatedBlocks;
  }

  int arenaCount() {
    return arenaCount;
  }

  int allocationCount() {
    return allocationCount;
  }

  int loaderCount() {
    return loaderCount;
  }

  long eventCount() {
    return eventCount;
  }

  TraceInfo info(String name, String jvmVersion, TraceOutcome outcome) {
    return new TraceInfo(
        name,
        jvmVersion,
        outcome.commitGranuleBytes(),
        outcome.programExit(),
        outcome.anomalyCount(),
        eventCount,
        allocationCount,
        deallocationCount,
        arenaCount,
        deathCount,
        loaderCount,
        allocatedWords);
  }

  /** The sums that the end record repeats, in its order. */
  long[] totals() {
    return new long[] {
      eventCount,
      allocationCount,
      deallocationCount,
      arenaCount,
      deathCount,
      loaderCount,
      allocatedWords
    };
  }
}
