package dev.arenal.elastic.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces of pages, by hand and against the units that are taken. */
final class PiecePagesTest {
  private static final long PAGE = PiecePages.PAGE_BYTES;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final SpaceCounters counters = new SpaceCounters();
  private final Nodes nodes =
      new Nodes(os, CommitMode.DISCARD, Budget.unlimited("test"), 4096, true, counters);
  private ChunkManager manager = new ChunkManager(nodes, counters, 4096, 64);
  private PiecePages pieces = manager.pieces;

  /** For each root the units of 64 bytes that are in pieces. */
  private final BitSet[] taken = new BitSet[8];

  @AfterEach
  void nothingIsLeft() {
    nodes.release();
    os.assertNothingMapped();
  }

  @Test
  void pieces_fillAPageWithoutGaps_andTheNextBeginsWhereNoneFits() {
    long first = pieces.take(528, PiecePages.COMMON);
    long second = pieces.take(1200, PiecePages.COMMON);
    assertThat(Chunk.bytes(first)).isEqualTo(576);
    assertThat(Chunk.bytes(second)).isEqualTo(1216);
    assertThat(address(second)).isEqualTo(address(first) + 576);
    assertThat(pieces.freeBytes()).isEqualTo(PAGE - 576 - 1216);
    long third = pieces.take(2048, PiecePages.COMMON);
    assertThat(address(third)).isEqualTo(address(second) + 1216);
    long other = pieces.take(512, PiecePages.COMMON);
    assertThat(address(other) / PAGE).isNotEqualTo(address(first) / PAGE);
    long hole = pieces.take(256, PiecePages.COMMON); // what the first page has left
    assertThat(address(hole)).isEqualTo(address(third) + 2048);
    giveBack(first, second, third, other, hole);
  }

  @Test
  void hole_isUsedAgain_theLowestThatIsLongEnough() {
    long[] all = new long[4];
    Arrays.setAll(all, i -> pieces.take(1024, PiecePages.COMMON));
    long inOther = pieces.take(1024, PiecePages.COMMON);
    manager.giveBack(all[1]);
    manager.giveBack(all[2]);
    assertThat(address(pieces.take(1600, PiecePages.COMMON))).isEqualTo(address(all[1]));
    long rest = pieces.take(448, PiecePages.COMMON);
    assertThat(address(rest)).isEqualTo(address(all[1]) + 1600);
    manager.giveBack(all[0]);
    manager.giveBack(all[3]);
    assertThat(pieces.freeCount()).isEqualTo(3);
    manager.giveBack(Chunk.piece(0, (int) (address(all[1]) / 64), 25));
    giveBack(rest, inOther);
  }

  @Test
  void piece_growsIntoWhatFollows_andNotBeyondItsPage() {
    long first = pieces.take(1024, PiecePages.COMMON);
    long longer = pieces.extend(first, 1000);
    assertThat(Chunk.bytes(longer)).isEqualTo(2048);
    assertThat(address(longer)).isEqualTo(address(first));
    long second = pieces.take(64, PiecePages.COMMON);
    assertThat(pieces.extend(longer, 64)).isEqualTo(Chunk.NONE);
    assertThat(pieces.extend(second, PAGE - 2048)).isEqualTo(Chunk.NONE);
    long rest = pieces.extend(second, PAGE - 2048 - 64);
    assertThat(Chunk.bytes(rest)).isEqualTo(PAGE - 2048);
    assertThat(pieces.freeBytes()).isZero();
    giveBack(longer, rest);
  }

  /** So many units are none, or a few, where their number is cut to 32 bits. */
  @Test
  void piece_doesNotGrowByMoreThanItsPage() {
    long piece = pieces.take(64, PiecePages.COMMON);
    assertThat(pieces.extend(piece, (1L << 38) + 64)).isEqualTo(Chunk.NONE);
    assertThat(pieces.extend(piece, 1L << 47)).isEqualTo(Chunk.NONE);
    assertThat(pieces.freeBytes()).isEqualTo(PAGE - 64);
    giveBack(piece);
  }

  @Test
  void unusedEnd_isWhatNoUsedByteIsIn() {
    long piece = pieces.take(1024, PiecePages.COMMON);
    assertThat(pieces.unusedEnd(piece, 1024)).isEqualTo(Chunk.NONE);
    assertThat(pieces.unusedEnd(piece, 961)).isEqualTo(Chunk.NONE);
    long end = pieces.unusedEnd(piece, 960);
    assertThat(Chunk.bytes(end)).isEqualTo(64);
    end = pieces.unusedEnd(piece, 65);
    assertThat(Chunk.bytes(end)).isEqualTo(1024 - 128);
    assertThat(address(end)).isEqualTo(address(piece) + 128);
    long kept = Chunk.withoutEnd(piece, end);
    assertThat(Chunk.bytes(kept)).isEqualTo(128);
    // Some of it stays even where nothing has been used yet: the arena has begun there.
    assertThat(Chunk.bytes(pieces.unusedEnd(piece, 0))).isEqualTo(1024 - 64);
    giveBack(end, kept);
  }

  @Test
  void grain_isWhatSizesAreMultiplesOf() {
    manager = new ChunkManager(nodes, counters, 4096, 1024);
    pieces = manager.pieces;
    long first = pieces.take(100, PiecePages.COMMON);
    long second = pieces.extend(pieces.take(1025, PiecePages.COMMON), 1);
    assertThat(Chunk.bytes(first)).isEqualTo(1024);
    assertThat(Chunk.bytes(second)).isEqualTo(3072);
    assertThat(Chunk.bytes(pieces.unusedEnd(second, 1025))).isEqualTo(1024);
    giveBack(first, second);
  }

  @Test
  void kinds_haveAPageEach_untilItIsSharedOrFull() {
    long first = pieces.take(1024, 1);
    long second = pieces.take(1024, 2);
    long third = pieces.take(1024, 1);
    assertThat(address(second) / PAGE).isNotEqualTo(address(first) / PAGE);
    assertThat(address(third)).isEqualTo(address(first) + 1024);
    long common = pieces.take(1024, PiecePages.COMMON);
    assertThat(address(common) / PAGE).isNotIn(address(first) / PAGE, address(second) / PAGE);
    long tooLong = pieces.take(2048 + 64, 1); // the first page is not current any more
    assertThat(address(tooLong)).isEqualTo(address(common) + 1024);
    assertThat(address(pieces.take(2048, PiecePages.COMMON))).isEqualTo(address(third) + 1024);
    assertThat(pieces.shareCurrent()).isTrue();
    assertThat(pieces.shareCurrent()).isFalse();
    long shared = pieces.take(2048, PiecePages.COMMON);
    assertThat(address(shared)).isEqualTo(address(second) + 1024);
    giveBack(
        second,
        shared,
        common,
        tooLong,
        first,
        third,
        Chunk.piece(0, (int) ((address(third) + 1024) / 64), 32));
  }

  @Test
  void pageOfAKind_thatIsEmpty_isNotCurrent() {
    long only = pieces.take(1024, 1);
    manager.giveBack(only);
    assertThat(pieces.shareCurrent()).isFalse();
    long next = pieces.take(64, 1);
    assertThat(pieces.freeBytes()).isEqualTo(PAGE - 64);
    giveBack(next);
  }

  @Test
  void kind_isTheFirstBlockAndThePlaceAmongArenasThatBeginAlike() {
    long[] firstBytes = {536, 528, 528, 528, 528};
    for (int round = 0; round < 8; round++) {
      for (int i = 0; i < 4; i++) {
        assertThat(pieces.kindOfNext(firstBytes[i])).isEqualTo(PiecePages.COMMON);
      }
    }
    int[] kinds = new int[firstBytes.length];
    Arrays.setAll(kinds, i -> pieces.kindOfNext(firstBytes[i]));
    assertThat(Arrays.copyOf(kinds, 4)).doesNotContain(PiecePages.COMMON).doesNotHaveDuplicates();
    assertThat(kinds[4]).isEqualTo(kinds[3]);
    int[] again = new int[firstBytes.length];
    Arrays.setAll(again, i -> pieces.kindOfNext(firstBytes[i]));
    assertThat(again).isEqualTo(kinds);
  }

  @Test
  void pieceGivenBackTwice_isNoticed() {
    long piece = pieces.take(64, PiecePages.COMMON);
    long other = pieces.take(64, PiecePages.COMMON);
    manager.giveBack(piece);
    assertThatThrownBy(() -> manager.giveBack(piece))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("INV-PIECE-1: freed twice");
    manager.giveBack(other);
  }

  /** Enough for three groups of pages, with a grain or without. */
  @ParameterizedTest
  @ValueSource(longs = {64, 1024})
  void drawnSteps_agreeWithTheUnits(long grainBytes) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("pieces", (int) grainBytes));
    manager = new ChunkManager(nodes, counters, 4096, grainBytes);
    pieces = manager.pieces;
    Arrays.setAll(taken, i -> new BitSet());
    List<Long> handles = new ArrayList<>();
    for (int step = 0; step < 6000; step++) {
      int dice = random.nextInt(100);
      int at = handles.isEmpty() ? -1 : random.nextInt(handles.size());
      if (at < 0 || dice < (step / 1000 % 2 == 0 ? 60 : 30)) {
        long sizeBytes = 1 + random.nextLong(random.nextBoolean() ? 400 : 2048);
        long piece = pieces.take(sizeBytes, random.nextInt(6));
        assertThat(Chunk.bytes(piece)).isBetween(sizeBytes, sizeBytes + grainBytes - 1);
        mark(piece, true);
        handles.add(piece);
      } else if (dice < 80) {
        extend(handles, at, 1 + random.nextLong(600));
      } else if (dice < 85) {
        cut(handles, at, random.nextLong(Chunk.bytes(handles.get(at)) + 1));
      } else {
        long piece = handles.set(at, handles.getLast());
        handles.removeLast();
        mark(piece, false);
        manager.giveBack(piece);
      }
      if (step % 900 == 0) {
        var _ = pieces.shareCurrent();
      }
      if (step % 200 == 0) {
        verify();
      }
    }
    handles.forEach(piece -> mark(piece, false));
    giveBack(handles.stream().mapToLong(Long::longValue).toArray());
    verify();
  }

  private void extend(List<Long> handles, int at, long byBytes) {
    long piece = handles.get(at);
    long longer = pieces.extend(piece, byBytes);
    if (longer != Chunk.NONE) {
      mark(piece, false);
      mark(longer, true);
      handles.set(at, longer);
    }
  }

  private void cut(List<Long> handles, int at, long usedBytes) {
    long piece = handles.get(at);
    long end = pieces.unusedEnd(piece, usedBytes);
    if (end != Chunk.NONE) {
      mark(end, false);
      handles.set(at, Chunk.withoutEnd(piece, end));
      manager.giveBack(end);
    }
  }

  private void mark(long piece, boolean isTaken) {
    BitSet root = taken[Chunk.root(piece)];
    int from = (int) (Chunk.offsetBytes(piece) / 64);
    int to = from + (int) (Chunk.bytes(piece) / 64);
    int changes = isTaken ? root.get(from, to).cardinality() : to - from;
    assertThat(changes).as(Seeds.hint()).isEqualTo(isTaken ? 0 : root.get(from, to).cardinality());
    root.set(from, to, isTaken);
  }

  private void verify() {
    BitSet[] covered = new BitSet[manager.capacityRoots()];
    Arrays.setAll(covered, i -> new BitSet());
    manager.verify(covered);
    pieces.verify(Arrays.copyOf(taken, covered.length), covered);
    for (int root = 0; root < RootCount.of(nodes); root++) {
      assertThat(covered[root].cardinality()).as(Seeds.hint()).isEqualTo(Chunk.ROOT_UNITS);
    }
  }

  /** Gives the last pieces back: the root is whole again. */
  private void giveBack(long... handles) {
    for (long handle : handles) {
      manager.giveBack(handle);
    }
    var _ = manager.mergeReturned();
    assertThat(pieces.freeBytes()).isZero();
    assertThat(pieces.freeCount()).isZero();
    assertThat(manager.freeCount(0)).isEqualTo(RootCount.of(nodes));
  }

  private static long address(long handle) {
    return Chunk.offsetBytes(handle);
  }
}
