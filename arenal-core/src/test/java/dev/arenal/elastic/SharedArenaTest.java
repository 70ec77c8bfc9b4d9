package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Blocks of a shared arena whose segments could not be made. */
final class SharedArenaTest {
  private static final int BLOCK_BYTES = 64;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void lastBlock_isHandedOutAgain() {
    try (SharedArena arena = (SharedArena) spaces.space().openShared()) {
      long first = arena.allocate(BLOCK_BYTES).address();
      long second = arena.allocate(BLOCK_BYTES).address();
      arena.handBack(arena.inner(), second, BLOCK_BYTES);
      assertThat(arena.usedBytes()).isEqualTo(BLOCK_BYTES);
      assertThat(arena.allocate(BLOCK_BYTES).address()).isEqualTo(second);
      arena.handBack(arena.inner(), first, BLOCK_BYTES);
      assertThat(arena.usedBytes()).isEqualTo(BLOCK_BYTES);
      assertThat(arena.allocate(BLOCK_BYTES).address()).isEqualTo(first);
    }
  }

  /**
   * Of two threads that find the Java heap full, one has the first block of a stretch, the other
   * one the last block of the stretch before it, which ends there.
   */
  @Test
  void lastBlocksOfTwoStretchesThatMeet_stayWhereTheyBelong() {
    ElasticSpace space = spaces.space();
    try (SharedArena arena = (SharedArena) space.openShared("small", ArenaGrowth.MICRO)) {
      MemorySegment before = arena.allocate(BLOCK_BYTES);
      MemorySegment behind = arena.allocate(BLOCK_BYTES);
      int count = 2;
      while (behind.address() != arena.stretchStart
          || before.address() + BLOCK_BYTES != behind.address()) {
        before = behind;
        behind = arena.allocate(BLOCK_BYTES);
        assertThat(++count).as("stretches meet").isLessThan(100_000);
      }
      arena.handBack(arena.inner(), behind.address(), BLOCK_BYTES);
      arena.handBack(arena.inner(), before.address(), BLOCK_BYTES);
      space.verify();
      assertThat(arena.usedBytes()).isEqualTo((count - 2L) * BLOCK_BYTES);
      MemorySegment large = arena.allocate(10L * BLOCK_BYTES);
      MemorySegment again = arena.allocate(BLOCK_BYTES);
      assertThat(again.address()).isEqualTo(before.address());
      assertThat(large.asOverlappingSlice(again)).isEmpty();
      Contents.write(large, (byte) 1);
      Contents.write(again, (byte) 2);
      assertThat(Contents.mismatch(large, (byte) 1)).isEqualTo(-1);
      space.verify();
    }
  }
}
