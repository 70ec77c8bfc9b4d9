package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.Node;
import java.util.BitSet;

/** Checks the structures of a space against each other; O(units). See docs/invariants.md. */
final class SpaceVerifier {
  private final SpaceState state;
  private final BitSet[] covered;
  private final BitSet[] pieces;

  private SpaceVerifier(SpaceState state) {
    this.state = state;
    this.covered = new BitSet[state.chunks.capacityRoots()];
    this.pieces = new BitSet[covered.length];
    for (int i = 0; i < covered.length; i++) {
      covered[i] = new BitSet(Chunk.ROOT_UNITS);
      pieces[i] = new BitSet();
    }
  }

  static void verify(SpaceState state) {
    state.lock.lock();
    try {
      if (!state.isClosedVolatile()) { // else there is nothing left to check
        state.damage.check();
        new SpaceVerifier(state).verify();
      }
    } finally {
      state.lock.unlock();
    }
  }

  private void verify() {
    state.chunks.verify(covered);
    long arenasBytes = 0;
    for (int slot = 0; slot < state.capacityArenas(); slot++) {
      ChunkedArena arena = state.arena(slot);
      if (arena != null) {
        arenasBytes += verify(arena);
      }
    }
    state.chunks.pieces.verify(pieces, covered);
    if (state.trimmer.claimedChunksBytes == 0) {
      verifyCoverage();
    }
    long freeBytes = state.chunks.pieces.freeBytes();
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      freeBytes += state.chunks.committedFreeBytes(level);
    }
    long sum = arenasBytes + freeBytes + state.trimmer.claimedChunksBytes;
    check(
        sum == state.nodes.committedBytes(),
        "INV-SPACE-1: committed = arenas + free + claimed",
        sum,
        state.nodes.committedBytes());
  }

  /** Checks the chunks of an arena and marks them; returns the committed bytes in them. */
  private long verify(ChunkedArena arena) {
    long committedBytes = 0;
    for (int i = 0; i < arena.chunks.count(); i++) {
      long handle = arena.chunks.get(i);
      int shift = Chunk.isPiece(handle) ? Chunk.PIECE_SHIFT : Chunk.UNIT_SHIFT;
      BitSet root = (Chunk.isPiece(handle) ? pieces : covered)[Chunk.root(handle)];
      int from = (int) (Chunk.offsetBytes(handle) >>> shift);
      int to = from + (int) (Chunk.bytes(handle) >>> shift);
      int next = root.nextSetBit(from);
      boolean overlaps = next >= 0 && next < to;
      check(!overlaps, "INV-SPACE-2: every unit has one owner", handle, next);
      root.set(from, to);
      verifyCut(handle);
      committedBytes += state.chunks.committedBytes(handle);
    }
    check(
        committedBytes == arena.committedBytes,
        "INV-ARENA-2: committed bytes of an arena",
        arena.committedBytes,
        committedBytes);
    return committedBytes;
  }

  /** Whether the granules of a chunk in use are marked as cut or not, as they are. */
  private void verifyCut(long handle) {
    Node node = state.nodes.ofRoot(Chunk.root(handle));
    long granuleBytes = state.settings.granuleBytes();
    boolean isCut = Chunk.level(handle) > state.chunks.granuleLevel();
    long from = node.offsetBytes(handle) & -granuleBytes;
    long end = from + Math.max(granuleBytes, Chunk.bytes(handle));
    long next = state.chunks.nextGranule(node, from, end, !isCut);
    check(next == end, "INV-CHUNK-5: granules are cut by smaller chunks", next, end);
  }

  private void verifyCoverage() {
    for (int index = 0; index < covered.length; index++) {
      if (state.chunks.root(index) != null) {
        int units = state.nodes.ofRoot(index).unitCount(index);
        check(
            covered[index].cardinality() == units,
            "INV-SPACE-2: no unit is lost",
            covered[index].cardinality(),
            units);
      }
    }
  }

  private static void check(boolean condition, String what, long actual, long expected) {
    if (!condition) {
      throw new AssertionError(what + ": actual=" + actual + ", expected=" + expected);
    }
  }
}
