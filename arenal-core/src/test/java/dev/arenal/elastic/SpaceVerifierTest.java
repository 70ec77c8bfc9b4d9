package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
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
      long offsetBytes = 15 << 20; // free, and nobody has committed it
      assertThat(node.reservation.commit(offsetBytes, 1)).isEqualTo(4096);
      assertWrongStarting(space, "INV-SPACE-1: committed = arenas + free + in transit: actual=");
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

  /** INV-CHUNK-1 to 3, of a root. */
  @Test
  void freeChunksOfARoot_areDisjointAndMergedAndCounted() {
    RootChunk root = new RootChunk(3, 0, 13);
    root.prepare(Chunk.LOWEST);
    root.setFree(2, 1);
    root.verify(new BitSet());
    BitSet inUse = new BitSet();
    inUse.set(4096 + 5);
    assertThatThrownBy(() -> root.verify(inUse))
        .isInstanceOf(AssertionError.class)
        .hasMessage("INV-CHUNK-1: overlap: root=3, level=2, slot=1");
    BitSet around = new BitSet(); // it ends where the chunk begins, and begins where it ends
    around.set(0, 4096);
    around.set(8192, 16384);
    root.verify(around);
    assertThat(around.cardinality()).isEqualTo(Chunk.ROOT_UNITS);

    root.setFree(2, 0);
    assertThatThrownBy(() -> root.verify(new BitSet()))
        .isInstanceOf(AssertionError.class)
        .hasMessage("INV-CHUNK-2: buddies: root=3, level=2, slot=0");
    root.clearFree(2, 0);
    root.setFree(9, 200); // inside of the other
    assertThatThrownBy(() -> root.verify(new BitSet()))
        .isInstanceOf(AssertionError.class)
        .hasMessage("INV-CHUNK-1: overlap: root=3, level=9, slot=200");
    assertThatThrownBy(() -> root.setFree(9, 200))
        .isInstanceOf(AssertionError.class)
        .hasMessage("freed twice: level=9, slot=200");
    root.clearFree(9, 200);
    assertThatThrownBy(() -> root.clearFree(9, 200))
        .isInstanceOf(AssertionError.class)
        .hasMessage("not free: level=9, slot=200");
  }

  /** INV-CHUNK-3: the manager counts what its roots have. */
  @Test
  void freeChunksOfTheRoots_areThoseThatTheManagerCounts() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(100);
      ChunkManager chunks = ((ChunkedArena) arena).space.chunks;
      RootChunk root = chunks.root(0);
      root.clearFree(1, 1); // the upper half, which nobody has taken
      assertWrongStarting(space, "INV-CHUNK-3: ");
      root.setFree(1, 1);
      space.verify();
      root.clearFree(1, 1);
      root.setFree(2, 2);
      assertWrongStarting(space, "INV-CHUNK-3: roots with free chunks are marked: root=0, level=");
      root.clearFree(2, 2);
      root.setFree(1, 1);
    }
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
