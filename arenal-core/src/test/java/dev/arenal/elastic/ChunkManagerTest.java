package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.elastic.chunk.ChunkManager;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.elastic.chunk.Nodes;
import dev.arenal.elastic.chunk.RootCount;
import dev.arenal.elastic.chunk.SpaceCounters;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.reserve.ReserveFailedException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks taken and given back, against a map of what is taken. */
final class ChunkManagerTest {
  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final List<Nodes> allNodes = new ArrayList<>();
  private final TreeMap<Long, Long> taken = new TreeMap<>();

  @AfterEach
  void nothingIsLeft() {
    allNodes.forEach(Nodes::release);
    os.assertNothingMapped();
  }

  @ParameterizedTest
  @ValueSource(longs = {4096, 65536, 16 << 20})
  void drawnChunks_neverOverlapAndMergeBackToRoots(long granuleBytes) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("chunks", (int) granuleBytes));
    Nodes nodes = nodes(0, granuleBytes);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), granuleBytes, 64);
    List<Long> handles = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      if (handles.isEmpty() || random.nextInt(100) < 52) {
        int preferred = random.nextInt(random.nextInt(Chunk.LEVEL_COUNT) + 1);
        preferred = Chunk.LOWEST - preferred;
        long handle = manager.take(preferred, preferred);
        assertThat(handle).as(Seeds.hint()).isNotEqualTo(Chunk.NONE);
        assertThat(Chunk.level(handle)).isEqualTo(preferred);
        take(nodes, handle);
        handles.add(handle);
        if (random.nextInt(4) == 0) {
          commit(nodes, handle, granuleBytes);
        }
      } else {
        long handle = handles.remove(random.nextInt(handles.size()));
        giveBack(manager, nodes, handle);
      }
      if (step % 1000 == 0) {
        manager.verify(new Marks(manager).bits);
      }
    }
    handles.forEach(handle -> giveBack(manager, nodes, handle));
    manager.verify(new Marks(manager).bits);
    var _ = manager.mergeReturned();
    manager.verify(new Marks(manager).bits);
    assertThat(manager.freeCount(0)).as(Seeds.hint()).isEqualTo(RootCount.of(nodes));
    for (int level = 1; level < Chunk.LEVEL_COUNT; level++) {
      assertThat(manager.freeCount(level)).isZero();
    }
    for (int i = 0; i < nodes.count(); i++) {
      var _ = nodes.get(i).reservation.uncommitted(0, nodes.get(i).reservation.sizeBytes());
    }
  }

  @Test
  void runs_areFoundAcrossRootsAndTakenExactly() {
    Nodes nodes = nodes(64 << 20, 4096);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), 4096, 64);
    long first = manager.take(Chunk.LOWEST, Chunk.LOWEST);
    long sizeBytes = (40 << 20) + 5000;
    long run = manager.findRun(sizeBytes, 1024);
    assertThat(run).isNotEqualTo(Chunk.NONE);
    Node node = nodes.ofRoot(Chunk.root(run));
    assertThat(manager.freeBytesAt(node, node.offsetBytes(run), sizeBytes))
        .isGreaterThanOrEqualTo(sizeBytes);
    ChunkList chunks = new ChunkList();
    manager.takeAt(node, node.offsetBytes(run), sizeBytes, chunks);
    long bytes = 0;
    long end = address(nodes, run);
    for (int i = 0; i < chunks.count(); i++) {
      assertThat(address(nodes, chunks.get(i))).isEqualTo(end);
      bytes += Chunk.sizeBytes(Chunk.level(chunks.get(i)));
      end += Chunk.sizeBytes(Chunk.level(chunks.get(i)));
      take(nodes, chunks.get(i));
    }
    assertThat(bytes).isBetween(sizeBytes, (64L << 20) - 1024);
    assertThat(manager.findRun(25 << 20, 1024)).isEqualTo(Chunk.NONE);
    for (int i = chunks.count() - 1; i >= 0; i--) {
      giveBack(manager, nodes, chunks.get(i));
    }
    manager.giveBack(first);
    var _ = manager.mergeReturned();
    assertThat(manager.freeCount(0)).isEqualTo(RootCount.of(nodes));
    assertThat(manager.findRun(64 << 20, 16 << 20)).isNotEqualTo(Chunk.NONE);
  }

  /** From each of its chunks each row would be followed again: some hundred times as long. */
  @Test
  void rowsOfManyRoots_areFollowedOnce() {
    int rowRoots = 2048;
    Nodes nodes = nodes(2L * rowRoots * Chunk.ROOT_BYTES, 4096);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), 4096, 64);
    long[] handles = new long[2 * rowRoots];
    Arrays.setAll(handles, i -> manager.take(0, 0));
    for (int i = 0; i < handles.length; i++) {
      if ((i + 1) % rowRoots != 0) {
        manager.giveBack(handles[i]);
      }
    }
    long start = cpuNanos();
    for (int i = 0; i < 40; i++) {
      assertThat(manager.findRun(rowRoots * Chunk.ROOT_BYTES, 1024)).isEqualTo(Chunk.NONE);
    }
    assertThat(Duration.ofNanos(cpuNanos() - start)).isLessThan(Duration.ofSeconds(2));
    assertThat(manager.findRun((rowRoots - 1) * Chunk.ROOT_BYTES, 1024)).isEqualTo(handles[0]);
  }

  /** A look at all marks for each root would take ten times as long. */
  @Test
  void manyRoots_areTakenIntoUseWithoutALookAtTheOthers() {
    long rootCount = 131_072;
    // The simulated one has a byte for each page.
    Nodes nodes = nodes(OperatingSystem.current(), rootCount * Chunk.ROOT_BYTES, 4096);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), 4096, 64);
    long start = cpuNanos();
    for (int i = 0; i < rootCount; i++) {
      assertThat(manager.take(0, 0)).isNotEqualTo(Chunk.NONE);
    }
    assertThat(Duration.ofNanos(cpuNanos() - start)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void fixedSpaceOfOddSize_isCutIntoChunksThatFit() {
    Nodes nodes = nodes((16 << 20) + 4096 * 5, 4096);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), 4096, 64);
    List<Long> handles = new ArrayList<>();
    long handle;
    while ((handle = manager.take(0, Chunk.LOWEST)) != Chunk.NONE) {
      take(nodes, handle);
      handles.add(handle);
    }
    long bytes = taken.entrySet().stream().mapToLong(e -> e.getValue() - e.getKey()).sum();
    assertThat(bytes).isEqualTo((16 << 20) + 4096 * 5);
    handles.forEach(each -> giveBack(manager, nodes, each));
    manager.verify(new Marks(manager).bits);
  }

  @Test
  void chunkThatCameBackLast_isTheNextOfItsSize() {
    Nodes nodes = nodes(0, 4096);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), 4096, 64);
    for (int level = Chunk.levelFor(65536); level <= Chunk.LOWEST; level++) {
      long first = manager.take(level, level);
      long second = manager.take(level, level);
      manager.giveBack(first);
      manager.giveBack(second);
      manager.verify(new Marks(manager).bits);
      assertThat(manager.take(level, level)).isEqualTo(second);
      manager.giveBack(second);
    }
    assertThat(manager.mergeReturned()).isTrue();
    assertThat(manager.mergeReturned()).isFalse();
    assertThat(manager.freeCount(0)).isEqualTo(1);
  }

  @Test
  void mergedCommittedChunk_goesBeforeUncommittedOne() {
    Nodes nodes = nodes(0, 4096);
    ChunkManager manager = new ChunkManager(nodes, new SpaceCounters(), 4096, 64);
    int level = Chunk.levelFor(65536);
    long uncommitted = manager.take(level, level);
    long committed = manager.take(level, level);
    commit(nodes, committed, 4096);
    manager.giveBack(committed);
    manager.giveBack(uncommitted);
    var _ = manager.mergeReturned();
    assertThat(manager.freeCommittedBytes()).isEqualTo(4096);
    assertThat(manager.take(level, level)).isEqualTo(committed);
    assertThat(manager.freeCommittedBytes()).isZero();
    manager.giveBack(committed);
    var _ = manager.mergeReturned();
    long taken = manager.takeLargestCommitted(Chunk.NONE);
    assertThat(Chunk.root(taken)).isEqualTo(Chunk.root(committed));
    assertThat(manager.freeCommittedBytes()).isZero();
    manager.putBack(taken);
    assertThat(manager.freeCommittedBytes()).isEqualTo(4096);
    var _ = nodes.get(0).reservation.uncommitted(0, nodes.get(0).reservation.sizeBytes());
  }

  private void take(Nodes nodes, long handle) {
    long start = address(nodes, handle);
    long end = start + Chunk.sizeBytes(Chunk.level(handle));
    assertThat(start % (end - start)).as("alignment").isZero();
    Map.Entry<Long, Long> below = taken.lowerEntry(end);
    assertThat(below == null || below.getValue() <= start).as(Seeds.hint()).isTrue();
    taken.put(start, end);
  }

  private void giveBack(ChunkManager manager, Nodes nodes, long handle) {
    assertThat(taken.remove(address(nodes, handle))).isNotNull();
    manager.giveBack(handle);
  }

  private static void commit(Nodes nodes, long handle, long granuleBytes) {
    if (Chunk.sizeBytes(Chunk.level(handle)) >= granuleBytes) {
      Node node = nodes.ofRoot(Chunk.root(handle));
      assertThat(node.reservation.commit(node.offsetBytes(handle), 1)).isNotNegative();
    }
  }

  /** Of this thread: other processes may keep the machine busy. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long address(Nodes nodes, long handle) {
    return nodes.ofRoot(Chunk.root(handle)).address(handle);
  }

  private Nodes nodes(long fixedSizeBytes, long granuleBytes) {
    return nodes(os, fixedSizeBytes, granuleBytes);
  }

  private Nodes nodes(OperatingSystem system, long fixedSizeBytes, long granuleBytes) {
    SpaceSettings settings =
        new SpaceSettings(
            "test",
            system,
            fixedSizeBytes,
            granuleBytes,
            CommitMode.DISCARD,
            Budget.unlimited("test"),
            ReclaimPolicy.BALANCED,
            0,
            Duration.ZERO,
            0);
    Nodes nodes = settings.newNodes(new SpaceCounters());
    if (fixedSizeBytes > 0) {
      try {
        var _ = nodes.addExactly(fixedSizeBytes, Chunk.ROOT_BYTES);
      } catch (ReserveFailedException e) {
        throw new AssertionError(e);
      }
    }
    allNodes.add(nodes);
    return nodes;
  }

  /** The units in free chunks, as {@link ChunkManager#verify} marks them. */
  private static final class Marks {
    final BitSet[] bits;

    Marks(ChunkManager manager) {
      bits = new BitSet[manager.capacityRoots()];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = new BitSet();
      }
    }
  }
}
