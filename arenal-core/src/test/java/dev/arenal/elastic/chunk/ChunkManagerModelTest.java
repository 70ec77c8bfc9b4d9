package dev.arenal.elastic.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.reserve.ReserveFailedException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All that is done to free chunks, drawn, against a set of the units in use of each root. */
final class ChunkManagerModelTest {
  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final SpaceCounters counters = new SpaceCounters();
  private final List<Long> handles = new ArrayList<>();

  /** For each root the units that are taken. */
  private final List<BitSet> taken = new ArrayList<>();

  private long granuleBytes = 4096;
  private Nodes nodes = nodes(0);
  private ChunkManager manager = new ChunkManager(nodes, counters, granuleBytes, 64);
  private SplittableRandom random = new SplittableRandom();

  @AfterEach
  void nothingIsLeft() {
    for (int i = 0; i < nodes.count(); i++) {
      var _ = nodes.get(i).reservation.uncommitted(0, nodes.get(i).reservation.sizeBytes());
    }
    nodes.release();
    os.assertNothingMapped();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 4096",
    "0, 65536",
    "0, 16777216",
    "83906560, 4096", // 80 MiB and 5 pages
    "35717120, 65536", // 34 MiB and a granule
  })
  void drawnSteps_agreeWithTheUnits(long fixedSizeBytes, long granule) {
    random = new SplittableRandom(Seeds.derive("all of chunks " + fixedSizeBytes, (int) granule));
    granuleBytes = granule;
    nodes = nodes(fixedSizeBytes);
    manager = new ChunkManager(nodes, counters, granuleBytes, 64);
    for (int step = 0; step < 1500; step++) {
      step(step / 300 % 2 == 0 ? 60 : 35);
      if (step % 50 == 0) {
        verify();
      }
    }
    while (!handles.isEmpty()) {
      giveBack(handles.removeLast());
    }
    var _ = manager.mergeReturned();
    verify();
    assertThat(manager.take(0, 0)).as(Seeds.hint()).isNotEqualTo(Chunk.NONE);
  }

  private void step(int percentTaken) {
    int kind = random.nextInt(100);
    if (kind >= 100 - 25) {
      switch (kind % 4) {
        case 0 -> takeLargestCommitted();
        case 1 -> takeRun();
        case 2 -> takeWithin();
        default -> {
          var _ = manager.mergeReturned();
          assertThat(manager.mergeReturned()).isFalse();
        }
      }
    } else if (handles.isEmpty() || random.nextInt(100) < percentTaken) {
      take();
    } else {
      giveBack(handles.remove(random.nextInt(handles.size())));
    }
    compareRunBehindAChunk();
  }

  private int drawLevel() {
    return Chunk.LOWEST - random.nextInt(random.nextInt(Chunk.LEVEL_COUNT) + 1);
  }

  private void take() {
    int preferred = drawLevel();
    int lowest = Math.min(Chunk.LOWEST, preferred + random.nextInt(3));
    boolean isMerged = random.nextInt(3) == 0;
    if (isMerged) {
      var _ = manager.mergeReturned();
    }
    long committedFreeBytes = 0;
    for (int level = 0; level <= Math.min(preferred, manager.granuleLevel()); level++) {
      committedFreeBytes += manager.committedFreeBytes(level);
    }
    long handle = manager.take(preferred, lowest);
    if (handle == Chunk.NONE) {
      var _ = manager.mergeReturned();
      for (int level = 0; level <= lowest; level++) {
        assertThat(manager.freeCount(level)).as(Seeds.hint()).isZero();
      }
      return;
    }
    int level = Chunk.level(handle);
    assertThat(level).as(Seeds.hint()).isBetween(preferred, lowest);
    if (isMerged && level == preferred && level <= manager.granuleLevel()) {
      boolean isCommitted = committedBytes(handle) > 0;
      assertThat(isCommitted).as(Seeds.hint()).isEqualTo(committedFreeBytes > 0);
    }
    own(handle);
  }

  /** The largest, and of those the highest; some of them lose their memory. */
  private void takeLargestCommitted() {
    long last = Chunk.NONE;
    do {
      last = takeLargestCommitted(last);
    } while (last != Chunk.NONE && random.nextInt(4) > 0);
  }

  private long takeLargestCommitted(long last) {
    long expected = Chunk.NONE;
    int from = last == Chunk.NONE ? 0 : Chunk.level(last);
    for (int level = from; level <= manager.granuleLevel() && expected == Chunk.NONE; level++) {
      for (int root = manager.capacityRoots() - 1; root >= 0 && expected == Chunk.NONE; root--) {
        boolean isOpen = manager.root(root) != null;
        for (int slot = (1 << level) - 1; isOpen && slot >= 0 && expected == Chunk.NONE; slot--) {
          if (manager.root(root).isFree(level, slot)) {
            long handle = Chunk.handle(root, slot * Chunk.units(level), level);
            boolean isBehind = last == Chunk.NONE || level > from || handle < last;
            expected = isBehind && committedBytes(handle) > 0 ? handle : Chunk.NONE;
          }
        }
      }
    }
    long handle = manager.takeLargestCommitted(last);
    assertThat(handle).as(Seeds.hint()).isEqualTo(expected);
    if (handle == Chunk.NONE) {
      return handle;
    }
    if (random.nextBoolean()) {
      Node node = nodes.ofRoot(Chunk.root(handle));
      long sizeBytes = Chunk.sizeBytes(Chunk.level(handle));
      var _ = node.reservation.uncommitted(node.offsetBytes(handle), sizeBytes);
    }
    long freeCommittedBytes = manager.freeCommittedBytes();
    manager.putBack(handle);
    assertThat(manager.freeCommittedBytes()).isEqualTo(freeCommittedBytes + committedBytes(handle));
    return handle;
  }

  private void takeRun() {
    long sizeBytes = 1 + random.nextLong(random.nextInt(8) == 0 ? 40L << 20 : 200_000);
    long alignmentBytes = 1L << random.nextInt(28);
    long found = manager.findRun(sizeBytes, alignmentBytes);
    int neededUnits = (int) ((sizeBytes + 1023) >>> 10);
    if (found == Chunk.NONE) {
      assertThat(hasRun(neededUnits, alignmentBytes)).as(Seeds.hint()).isFalse();
      return;
    }
    Node node = nodes.ofRoot(Chunk.root(found));
    assertThat(node.address(found) % alignmentBytes).as(Seeds.hint()).isZero();
    assertThat(manager.freeBytesAt(node, node.offsetBytes(found), sizeBytes))
        .as(Seeds.hint())
        .isGreaterThanOrEqualTo(sizeBytes);
    takeAt(node, node.offsetBytes(found), sizeBytes);
  }

  /** The blocks that lie there, without a gap, and no more than are needed. */
  private void takeAt(Node node, long offsetBytes, long sizeBytes) {
    ChunkList chunks = new ChunkList();
    manager.takeAt(node, offsetBytes, sizeBytes, chunks);
    long next = offsetBytes;
    for (int i = 0; i < chunks.count(); i++) {
      long handle = chunks.get(i);
      assertThat(node.offsetBytes(handle)).as(Seeds.hint()).isEqualTo(next);
      next += Chunk.sizeBytes(Chunk.level(handle));
      own(handle);
    }
    long neededUnits = (sizeBytes + 1023) >>> 10;
    assertThat(next - offsetBytes).as(Seeds.hint()).isEqualTo(neededUnits * 1024);
  }

  /** Whether there are so many free units in a row in one node, by looking at each. */
  private boolean hasRun(int neededUnits, long alignmentBytes) {
    for (int i = 0; i < nodes.count(); i++) {
      Node node = nodes.get(i);
      int unitCount = (int) (node.reservation.sizeBytes() >>> 10);
      int length = 0;
      for (int unit = unitCount - 1; unit >= 0; unit--) {
        length = isTaken(node, unit) ? 0 : length + 1;
        long address = node.reservation.baseAddress() + ((long) unit << 10);
        if (length >= neededUnits && address % alignmentBytes == 0) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isTaken(Node node, int unitOfNode) {
    int root = node.firstRoot + (unitOfNode >>> Chunk.LOWEST);
    return root < taken.size() && taken.get(root).get(unitOfNode & (Chunk.ROOT_UNITS - 1));
  }

  /** A chunk of a size at a place, out of a free one around it. */
  private void takeWithin() {
    var _ = manager.mergeReturned();
    int root = random.nextInt(manager.capacityRoots());
    if (manager.root(root) == null) {
      return;
    }
    int target = random.nextInt(manager.granuleLevel() + 1);
    int unit = random.nextInt(1 << target) * Chunk.units(target);
    int around = -1;
    for (int level = 0; level <= manager.granuleLevel(); level++) {
      int first = unit & -Chunk.units(level);
      boolean isFree = manager.freeLevelAt(manager.root(root), first) == level;
      around = isFree ? level : around;
    }
    Node node = nodes.ofRoot(root);
    long offsetBytes = node.offsetBytes(Chunk.handle(root, unit, target));
    assertThat(manager.freeLevelAround(node, offsetBytes)).as(Seeds.hint()).isEqualTo(around);
    if (around >= 0 && around <= target) {
      long handle = manager.takeWithin(node, offsetBytes, offsetBytes + Chunk.sizeBytes(target));
      assertThat(handle).isEqualTo(Chunk.handle(root, unit, target));
      own(handle);
    }
  }

  /** Free bytes behind a chunk, up to the next one that is taken or the end of its node. */
  private void compareRunBehindAChunk() {
    if (handles.isEmpty()) {
      return;
    }
    long handle = handles.get(random.nextInt(handles.size()));
    Node node = nodes.ofRoot(Chunk.root(handle));
    long offsetBytes = node.offsetBytes(handle) + Chunk.sizeBytes(Chunk.level(handle));
    if (offsetBytes == node.reservation.sizeBytes()) {
      return;
    }
    long limitBytes = 1L << random.nextInt(10, 27);
    long found = manager.freeBytesAt(node, offsetBytes, limitBytes);
    int unitCount = (int) (node.reservation.sizeBytes() >>> 10);
    int first = (int) (offsetBytes >>> 10);
    int end = first;
    while (end < unitCount && !isTaken(node, end)) {
      end++;
    }
    long freeBytes = (end - first) * 1024L;
    assertThat(found).as(Seeds.hint()).isLessThanOrEqualTo(freeBytes);
    if (found < limitBytes) {
      assertThat(found).as(Seeds.hint()).isEqualTo(freeBytes);
    }
    if (found > 0 && random.nextInt(8) == 0) { // as an arena that grows in place
      takeAt(node, offsetBytes, 1 + random.nextLong(Math.min(found, 200_000)));
    }
  }

  /** A chunk smaller than a granule is of no use before its granule is committed. */
  private void own(long handle) {
    while (taken.size() <= Chunk.root(handle)) {
      taken.add(new BitSet());
    }
    Node node = nodes.ofRoot(Chunk.root(handle));
    int units = Chunk.units(Chunk.level(handle));
    int unit = Chunk.unit(handle);
    assertThat(unit % units).as("alignment " + Seeds.hint()).isZero();
    assertThat(unit + units).isLessThanOrEqualTo(node.unitCount(Chunk.root(handle)));
    int next = taken.get(Chunk.root(handle)).nextSetBit(unit);
    assertThat(next < 0 || next >= unit + units).as(Seeds.hint()).isTrue();
    taken.get(Chunk.root(handle)).set(unit, unit + units);
    handles.add(handle);
    long offsetBytes = node.offsetBytes(handle);
    long end = offsetBytes + units * Chunk.UNIT_BYTES;
    boolean isCut = Chunk.level(handle) > manager.granuleLevel(); // INV-CHUNK-5
    assertThat(manager.nextGranule(node, offsetBytes, end, !isCut)).as(Seeds.hint()).isEqualTo(end);
    if (Chunk.level(handle) > manager.granuleLevel()) {
      assertThat(node.reservation.commit(offsetBytes, 1)).isNotNegative();
    } else if (random.nextInt(3) == 0) {
      long granules = units * Chunk.UNIT_BYTES / granuleBytes;
      offsetBytes += random.nextLong(granules) * granuleBytes;
      assertThat(node.reservation.commit(offsetBytes, 1)).isNotNegative();
    }
  }

  private void giveBack(long handle) {
    int unit = Chunk.unit(handle);
    taken.get(Chunk.root(handle)).clear(unit, unit + Chunk.units(Chunk.level(handle)));
    manager.giveBack(handle);
  }

  private long committedBytes(long handle) {
    int level = Chunk.level(handle);
    Node node = nodes.ofRoot(Chunk.root(handle));
    return level <= manager.granuleLevel()
        ? node.reservation.committedBytes(node.offsetBytes(handle), Chunk.sizeBytes(level))
        : Chunk.sizeBytes(level);
  }

  /** Every unit is free once or taken once, and every committed byte is somewhere. */
  private void verify() {
    BitSet[] units = new BitSet[manager.capacityRoots()];
    for (int i = 0; i < units.length; i++) {
      units[i] = new BitSet();
      if (i < taken.size()) {
        units[i].or(taken.get(i));
      }
    }
    manager.verify(units);
    int rootCount = 0;
    for (int i = 0; i < units.length; i++) {
      if (manager.root(i) != null) {
        int unitCount = nodes.ofRoot(i).unitCount(i);
        assertThat(units[i].cardinality()).as(Seeds.hint()).isEqualTo(unitCount);
        rootCount++;
      }
    }
    assertThat(RootCount.of(nodes)).isEqualTo(rootCount);
    long sum = 0;
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      sum += manager.committedFreeBytes(level);
    }
    for (long handle : handles) {
      sum += committedBytes(handle);
    }
    assertThat(sum).as(Seeds.hint()).isEqualTo(nodes.committedBytes());
  }

  private Nodes nodes(long fixedSizeBytes) {
    Nodes all =
        new Nodes(
            os,
            CommitMode.DISCARD,
            Budget.unlimited("test"),
            granuleBytes,
            fixedSizeBytes == 0,
            counters);
    if (fixedSizeBytes > 0) {
      try {
        var _ = all.addExactly(fixedSizeBytes, Chunk.ROOT_BYTES);
      } catch (ReserveFailedException e) {
        throw new AssertionError(e);
      }
    }
    return all;
  }
}
