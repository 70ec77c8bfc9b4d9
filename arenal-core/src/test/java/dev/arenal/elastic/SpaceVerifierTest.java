package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.chunk.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Books that are made wrong, and what the checks say of them: a check that never fails is none. */
final class SpaceVerifierTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  /** INV-ARENA-2. */
  @Test
  void committedBytesOfAnArena_areThoseOfItsChunks() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(10_000);
      ChunkedArena chunked = (ChunkedArena) arena;
      long committedBytes = chunked.committedBytes;
      chunked.committedBytes += 4096;
      assertWrong(
          space,
          "INV-ARENA-2: committed bytes of an arena: actual="
              + (committedBytes + 4096)
              + ", expected="
              + committedBytes);
      chunked.committedBytes = committedBytes;
      space.verify();
    }
  }

  /** INV-SPACE-2: a chunk of two arenas, and one of none. */
  @Test
  void everyUnit_hasOneOwner() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined();
        ElasticArena other = space.openConfined()) {
      var _ = arena.allocate(10_000);
      ChunkedArena taken = (ChunkedArena) arena;
      ChunkedArena taker = (ChunkedArena) other;
      taker.chunks.add(taken.chunks.get(0));
      assertWrongStarting(space, "INV-SPACE-2: every unit has one owner: actual=");
      taker.chunks.truncate(0);
      space.verify();

      long handle = taken.chunks.get(0);
      long committedBytes = taken.committedBytes;
      taken.chunks.truncate(0);
      taken.committedBytes = 0;
      assertWrongStarting(space, "INV-SPACE-2: no unit is lost: actual=");
      taken.chunks.add(handle);
      taken.committedBytes = committedBytes;
      space.verify();
    }
  }

  /** INV-SPACE-1. */
  @Test
  void committedMemory_isSomewhere() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(10_000);
      Node node = ((ChunkedArena) arena).space.nodes.get(0);
      long offsetBytes = 15 << 20; // free, and not committed
      assertThat(node.reservation.commit(offsetBytes, 1)).isEqualTo(4096);
      assertWrongStarting(space, "INV-SPACE-1: committed = arenas + free + claimed: actual=");
      assertThat(node.reservation.uncommitted(offsetBytes, 4096)).isEqualTo(4096);
      space.verify();
    }
  }

  /** Nor does the check keep the lock. */
  @Test
  void closedSpace_hasNothingToCheck_andTheLockIsFree() throws InterruptedException {
    ElasticSpace space = ElasticSpace.builder("closed").build();
    space.verify();
    Thread other = Thread.ofPlatform().start(space::verify);
    other.join(60_000);
    assertThat(other.isAlive()).isFalse();
    space.close();
    space.verify();
  }

  private static void assertWrong(ElasticSpace space, String message) {
    assertThatThrownBy(space::verify).isInstanceOf(AssertionError.class).hasMessage(message);
  }

  private static void assertWrongStarting(ElasticSpace space, String message) {
    assertThatThrownBy(space::verify)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith(message);
  }
}
