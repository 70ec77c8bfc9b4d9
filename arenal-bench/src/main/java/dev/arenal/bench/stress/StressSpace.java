package dev.arenal.bench.stress;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The one space that all states of a stress test share, as the tenants of a program do, and what
 * the tests ask about segments.
 */
final class StressSpace {
  private static final ElasticSpace SPACE = ElasticSpace.builder("stress").build();

  private StressSpace() {}

  static ElasticArena openShared() {
    return SPACE.openShared();
  }

  static ElasticArena openConfined() {
    return SPACE.openConfined();
  }

  static boolean areDisjoint(MemorySegment a, MemorySegment b) {
    return a.address() + a.byteSize() <= b.address() || b.address() + b.byteSize() <= a.address();
  }

  /** Writes one word all over a block. */
  static void fill(MemorySegment block, long word) {
    for (long offset = 0; offset < block.byteSize(); offset += Long.BYTES) {
      block.set(ValueLayout.JAVA_LONG, offset, word);
    }
  }

  /** Whether every word of a block is this one. */
  static boolean holds(MemorySegment block, long word) {
    for (long offset = 0; offset < block.byteSize(); offset += Long.BYTES) {
      if (block.get(ValueLayout.JAVA_LONG, offset) != word) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the arena itself knows a block as one it has handed out: it takes it back then. Memory
   * beyond the end of a stretch is refused.
   */
  static boolean takesBack(ElasticArena arena, MemorySegment block) {
    try {
      arena.deallocate(block);
      return true;
    } catch (IllegalArgumentException unknown) {
      return false;
    }
  }
}
