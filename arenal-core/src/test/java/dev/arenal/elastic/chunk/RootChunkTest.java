package dev.arenal.elastic.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Maps of free chunks that are made wrong, and what the checks say of them. */
final class RootChunkTest {
  /** INV-CHUNK-1 to 3, of a root. */
  @Test
  void freeChunksOfARoot_areDisjointAndMergedAndCounted() {
    RootChunk root = new RootChunk(3, 13);
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
    root.verify(new BitSet());
    root.setFree(0, -1); // bit 0, which stands for no chunk
    assertThatThrownBy(() -> root.verify(new BitSet()))
        .isInstanceOf(AssertionError.class)
        .hasMessage("INV-CHUNK-1: of no level: root=3, level=0, slot=0");
  }

  /** INV-CHUNK-3: the manager counts what its roots have. */
  @Test
  void freeChunksOfTheRoots_areThoseThatTheManagerCounts() {
    SpaceCounters counters = new SpaceCounters();
    Nodes nodes =
        new Nodes(
            new SimulatedOperatingSystem(),
            CommitMode.DISCARD,
            Budget.unlimited("test"),
            4096,
            true,
            counters);
    ChunkManager manager = new ChunkManager(nodes, counters, 4096, 64);
    long handle = manager.take(2, 2);
    assertThat(Chunk.unit(handle)).isZero();
    RootChunk root = manager.root(0);
    manager.verify(units(manager, handle));

    root.clearFree(1, 1); // the upper half, which has not been taken
    assertThatThrownBy(() -> manager.verify(units(manager, handle)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("INV-CHUNK-3: ");
    root.setFree(2, 2);
    assertThatThrownBy(() -> manager.verify(units(manager, handle)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("INV-CHUNK-3: roots with free chunks are marked: root=0, level=");
    root.clearFree(2, 2);
    root.setFree(1, 1);
    manager.verify(units(manager, handle));
    nodes.release();
  }

  private static BitSet[] units(ChunkManager manager, long handle) {
    BitSet[] units = new BitSet[manager.capacityRoots()];
    for (int i = 0; i < units.length; i++) {
      units[i] = new BitSet();
    }
    units[0].set(Chunk.unit(handle), Chunk.unit(handle) + Chunk.units(Chunk.level(handle)));
    return units;
  }
}
