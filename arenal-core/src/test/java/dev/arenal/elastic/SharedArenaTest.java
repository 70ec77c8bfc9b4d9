package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of a shared arena whose segments could not be made. */
final class SharedArenaTest {
  private static final int BLOCK_BYTES = 64;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  /** A thread that has waited for the monitor meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestOfARoundThatIsOver_getsNothing(boolean isClosed) {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(0));
    SharedArena arena = (SharedArena) space.openShared("a");
    Arena round = arena.inner();
    var _ = arena.allocate(100);
    if (isClosed) {
      arena.close();
    } else {
      arena.reset();
    }
    long committedBytes = space.committedBytes();
    assertThatThrownBy(() -> arena.attempt(round, 1 << 20, 8, false))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
    assertThat(space.committedBytes()).isEqualTo(committedBytes);
    space.verify();
    if (!isClosed) {
      arena.close();
    }
  }

  /** The monitor is for what is more than a bump, also after a free block was handed out. */
  @Test
  void blocksThatFit_areHadWithoutTheMonitor() throws Exception {
    ElasticSpace space = spaces.space();
    try (SharedArena arena = (SharedArena) space.openShared("a", ArenaGrowth.LARGE)) {
      var _ = arena.allocate(BLOCK_BYTES);
      assertThat(isHadWithoutTheMonitor(arena)).isTrue();
      MemorySegment free = arena.allocate(BLOCK_BYTES);
      arena.deallocate(free);
      assertThat(arena.allocate(BLOCK_BYTES).address()).isEqualTo(free.address());
      assertThat(isHadWithoutTheMonitor(arena)).isTrue();
    }
  }

  private static boolean isHadWithoutTheMonitor(SharedArena arena) throws InterruptedException {
    synchronized (arena.chunks) {
      Thread other = Thread.ofPlatform().start(() -> arena.allocate(BLOCK_BYTES));
      return other.join(Duration.ofSeconds(20));
    }
  }

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
