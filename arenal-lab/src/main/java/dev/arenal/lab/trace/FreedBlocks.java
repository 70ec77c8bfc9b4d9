package dev.arenal.lab.trace;

import java.util.BitSet;

/**
 * The blocks that a trace gives back early, and the arenas that own them: a bit for each block of
 * the trace and four bytes for each of these.
 */
final class FreedBlocks {
  private static final int CHUNK_BITS = 8;

  private final BitSet blocks;

  /** For each chunk of blocks: how many of the freed ones are before it. */
  private final int[] ranks;

  /** Of each freed block that was allocated until now, in their order. */
  private final int[] arenas;

  private int allocatedCount;

  /** Of these blocks, none of which is allocated yet. */
  FreedBlocks(BitSet blocks) {
    this.blocks = blocks;
    ranks = new int[(blocks.length() >>> CHUNK_BITS) + 1];
    int rank = 0;
    int chunk = 0;
    for (int block = blocks.nextSetBit(0); block >= 0; block = blocks.nextSetBit(block + 1)) {
      while (chunk < block >>> CHUNK_BITS) {
        ranks[++chunk] = rank;
      }
      rank++;
    }
    arenas = new int[rank];
  }

  /** Notes the arena of a block; blocks come in their order. */
  void allocated(int block, int arena) {
    if (blocks.get(block)) {
      arenas[allocatedCount++] = arena;
    }
  }

  /** The arena that owns a block; -1 if it is not among these, or was not allocated yet. */
  int arenaOf(int block) {
    if (!blocks.get(block)) {
      return -1;
    }
    int chunk = block >>> CHUNK_BITS;
    int rank = ranks[chunk];
    int before = blocks.nextSetBit(chunk << CHUNK_BITS);
    while (before < block) {
      rank++;
      before = blocks.nextSetBit(before + 1);
    }
    return rank < allocatedCount ? arenas[rank] : -1;
  }
}
