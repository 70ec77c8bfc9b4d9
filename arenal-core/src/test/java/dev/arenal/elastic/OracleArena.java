package dev.arenal.elastic;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** An open arena as the oracle knows it. */
final class OracleArena {
  final ElasticArena arena;
  final ElasticSpace space;
  final List<Block> blocks = new ArrayList<>();
  long usedBytes;

  OracleArena(ElasticArena arena, ElasticSpace space) {
    this.arena = arena;
    this.space = space;
  }

  Block add(MemorySegment segment, byte tag) {
    Block block = new Block(segment, blockBytes(segment.byteSize()), tag, this);
    blocks.add(block);
    usedBytes += block.sizeBytes;
    return block;
  }

  /** Takes a block out; the last takes its place. */
  Block remove(long index) {
    int at = (int) Math.floorMod(index, (long) blocks.size());
    Block block = blocks.get(at);
    Block last = blocks.removeLast();
    if (at < blocks.size()) {
      blocks.set(at, last);
    }
    usedBytes -= block.sizeBytes;
    return block;
  }

  static long blockBytes(long sizeBytes) {
    return Math.max(8, (sizeBytes + 7) & -8L);
  }

  /** A block and what was written to it. */
  record Block(MemorySegment segment, long sizeBytes, byte tag, OracleArena owner) {
    long end() {
      return segment.address() + sizeBytes;
    }
  }
}
