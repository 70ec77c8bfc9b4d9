package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Free blocks on both sides of where two stretches meet are one block, like any neighbours. */
final class DeallocateAcrossStretchesTest {
  @Test
  void blockOverTwoStretches_canBeGivenBackAgain() {
    try (ElasticSpace space = ElasticSpace.builder("meeting").granuleBytes(4096).build();
        ElasticArena arena = space.openConfined("a", ArenaGrowth.MICRO)) {
      MemorySegment[] blocks = new MemorySegment[8];
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = arena.allocate(1024, 8);
      }
      // A stretch of MICRO ends with its granule, and the next one begins there.
      assertThat(blocks[4].address()).isEqualTo(blocks[3].address() + 1024);
      arena.deallocate(blocks[3]);
      arena.deallocate(blocks[4]);
      MemorySegment over = arena.allocate(2048, 8);
      assertThat(over.address()).isEqualTo(blocks[3].address());

      arena.deallocate(over);

      assertThat(arena.usedBytes()).isEqualTo(6 * 1024);
      space.verify();
    }
  }
}
