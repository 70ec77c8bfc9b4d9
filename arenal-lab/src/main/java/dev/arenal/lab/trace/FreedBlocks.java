package dev.arenal.lab.trace;

import java.util.Arrays;
import java.util.BitSet;

/** The blocks that a trace gives back early, in their order, and the arenas that own them. */
final class FreedBlocks {
  private final int[] blocks;

  /** Of each of these blocks that was allocated until now. */
  private final int[] arenas;

  private int allocatedCount;

  /** Of these blocks, none of which is allocated yet. */
  FreedBlocks(BitSet blocks) {
    this.blocks = blocks.stream().toArray();
    this.arenas = new int[this.blocks.length];
  }

  /** Notes the arena of a block; blocks come in their order. */
  void allocated(int block, int arena) {
    if (allocatedCount < blocks.length && blocks[allocatedCount] == block) {
      arenas[allocatedCount++] = arena;
    }
  }

  /** The arena that owns a block; -1 if it is not among these, or was not allocated yet. */
  int arenaOf(int block) {
    int index = Arrays.binarySearch(blocks, 0, allocatedCount, block);
    return index >= 0 ? arenas[index] : -1;
  }
}
