package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.elastic.chunk.PiecePages;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.NativeMemory;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Claims;

/**
 * Commits and extends the stretches of arenas: where an arena's request meets chunks, granules,
 * budget and kernel.
 *
 * <p>All or nothing: a request that any of them refuses leaves the arena, the free chunks and the
 * budget as they were. Refusals are numbers inside and become an {@link OutOfMemoryError} at the
 * edge, after all that could give memory back have been asked. Takes the lock of the space; calls
 * that may keep the kernel busy are made outside it.
 */
final class StretchGrowth {
  /** From this size on one call to the kernel is cheaper than a page fault for each page. */
  private static final long POPULATE_BYTES = 16 * 1024;

  /** A block larger than this may well be meant to be filled little by little. */
  private static final long POPULATE_MAX_BYTES = 1L << 20;

  /** The cost of a root that is one chunk: itself, its handle, and its place in two tables. */
  private static final long ROOT_METADATA_BYTES = 240;

  /** Read once: it is a call into the JVM. */
  private static final long MOST_METADATA_BYTES = Runtime.getRuntime().maxMemory() / 2;

  private final SpaceState space;

  StretchGrowth(SpaceState space) {
    this.space = space;
  }

  /**
   * Commits the stretch of an arena up to {@code end} at least.
   *
   * @param modest whether not to commit more than that
   * @return a refusal, or bytes newly committed
   */
  long commit(ChunkedArena arena, long end, long usedBytes, long sizeBytes, boolean modest) {
    long aheadBytes = modest ? 0 : space.sizing.aheadBytes(arena, usedBytes, sizeBytes);
    long from = arena.committedEnd;
    long wanted = Math.min(arena.stretchEnd, space.alignToGranule(end) + aheadBytes);
    long to;
    Reservation reservation;
    boolean dirty;
    long result;
    arena.isUnbacked = false;
    space.lock.lock();
    try {
      space.damage.check();
      reservation = space.nodes.nodeOf(from).reservation;
      long offsetBytes = from - reservation.baseAddress();
      result = space.commit(reservation, offsetBytes, wanted - from);
      if (result < 0) {
        return result;
      }
      to = withCommittedBehind(reservation, wanted, arena.stretchEnd);
      dirty = reservation.markDirty(offsetBytes, to - from);
      arena.committedBytes += result;
      space.counters.commits++;
      space.trimmer.noteTaken(to - from);
      space.lock.changing = false;
    } finally {
      space.lock.unlock();
    }
    if (result == to - from && result >= POPULATE_BYTES && result <= POPULATE_MAX_BYTES) {
      int error = space.settings.os().populate(from, to - from);
      if (error < 0) {
        arena.isUnbacked = true;
        var _ = new OfArena(arena, from, to, true).perform();
        return error;
      }
    }
    arena.committedTo(to, dirty);
    return result;
  }

  /**
   * Gives an arena room for a block beyond its stretch: extends it in place if that is wanted and
   * possible, else begins another.
   *
   * @param modest whether to take no more than is needed
   * @return the address of the block, or a refusal
   */
  long grow(
      ChunkedArena arena,
      long top,
      long sizeBytes,
      long alignmentBytes,
      long usedBytes,
      boolean inPlace,
      boolean modest) {
    long wantedBytes = modest ? sizeBytes : space.sizing.wantedBytes(arena, usedBytes, sizeBytes);
    long aheadBytes = modest ? 0 : space.sizing.aheadBytes(arena, usedBytes, sizeBytes);
    Request request =
        new Request(arena, top, sizeBytes, alignmentBytes, wantedBytes, aheadBytes, inPlace, false);
    long committedBefore = arena.committedEnd;
    long result = tryGrow(request);
    if (result >= 0 && aheadBytes > 0) {
      populateNew(arena, result, committedBefore);
    }
    return result;
  }

  /**
   * Gives an arena that has a stretch a block of a large alignment, in chunks of its own. The
   * stretch stays as it is: what lies before such a block in it would be committed for nothing, and
   * where a stretch is left for one, its rest is lost to all.
   *
   * @return the address of the block, which is zero; or a refusal
   */
  long takeAside(ChunkedArena arena, long sizeBytes, long alignmentBytes) {
    long start =
        tryGrow(new Request(arena, 0, sizeBytes, alignmentBytes, sizeBytes, 0, false, true));
    if (start >= 0 && arena.isAsideDirty) {
      NativeMemory.zero(start, sizeBytes);
    }
    return start;
  }

  /**
   * Commits a range of free blocks again.
   *
   * @return bytes newly committed, or a refusal
   */
  long recommit(ChunkedArena arena, long address, long sizeBytes) {
    space.lock.lock();
    try {
      space.damage.check();
      Reservation reservation = space.nodes.nodeOf(address).reservation;
      long offsetBytes = address - reservation.baseAddress();
      long result = space.commit(reservation, offsetBytes, sizeBytes);
      if (result > 0) {
        var _ = reservation.markDirty(offsetBytes, sizeBytes);
        arena.committedBytes += result;
        space.counters.commits++;
      }
      space.lock.changing = false;
      return result;
    } finally {
      space.lock.unlock();
    }
  }

  /** Whether all granules that a range of a live arena touches are committed. */
  boolean isCommitted(long address, long sizeBytes) {
    long from = address & -space.settings.granuleBytes();
    long to = space.alignToGranule(address + sizeBytes);
    space.lock.lock();
    try {
      space.damage.check();
      Reservation reservation = space.nodes.nodeOf(from).reservation;
      return reservation.committedBytes(from - reservation.baseAddress(), to - from) == to - from;
    } finally {
      space.lock.unlock();
    }
  }

  /**
   * Gives the granules of a free range of a live arena back to the kernel, where the program cannot
   * crash on them: a segment that it kept must still read as memory.
   *
   * @return bytes given back
   */
  long discard(ChunkedArena arena, long from, long to) {
    if (space.settings.reclaimPolicy() == ReclaimPolicy.NONE
        || space.settings.commitMode() != CommitMode.DISCARD) {
      return 0;
    }
    OfArena range = new OfArena(arena, from, to, false);
    return range.discard() ? range.goneBytes() : 0;
  }

  /**
   * Granules of a live arena that go back: whole ones in a range of free blocks; or a commit that
   * the kernel could not back, which is undone.
   */
  private final class OfArena extends SpaceDiscard {
    private final ChunkedArena arena;
    private final long from;
    private final long to;
    private final boolean isUndo;

    OfArena(ChunkedArena arena, long from, long to, boolean isUndo) {
      super(space, isUndo ? null : Claims.Use.DISCARD);
      this.arena = arena;
      this.from = from;
      this.to = to;
      this.isUndo = isUndo;
    }

    @Override
    void noteGone(long goneBytes) {
      arena.committedBytes -= goneBytes;
      space.counters.uncommits += goneBytes > 0 ? 1 : 0;
    }

    @Override
    boolean select() {
      if (isUndo) {
        ranges.add(from, to - from);
        return true;
      }
      space.damage.check();
      addWhole(space.nodes.nodeOf(from));
      long sizeBytes = ranges.totalBytes();
      return sizeBytes > 0 && sizeBytes <= space.trimmer.aboveFloorBytes();
    }

    /**
     * Adds the granules that lie in one chunk; those of smaller chunks stay committed as long as
     * one of these is in use (INV-SPACE-3). Without a look at the chunks: an arena may have many.
     */
    private void addWhole(Node node) {
      long base = node.reservation.baseAddress();
      long end = to - base;
      long at = space.chunks.nextGranule(node, from - base, end, false);
      while (at < end) {
        long cut = space.chunks.nextGranule(node, at, end, true);
        ranges.addCommitted(node.reservation, at, cut - at);
        at = space.chunks.nextGranule(node, cut, end, false);
      }
    }
  }

  /**
   * Touches what a stretch has got in one call. A refusal is left to the first touch: unlike in
   * {@link #commit} the arena has its chunks by now.
   */
  private void populateNew(ChunkedArena arena, long start, long committedBefore) {
    long granuleBytes = space.settings.granuleBytes();
    long from = start & -granuleBytes;
    if (committedBefore > from && committedBefore <= arena.committedEnd) {
      from = committedBefore;
    }
    long sizeBytes = arena.committedEnd - from;
    boolean worthIt = sizeBytes >= POPULATE_BYTES && sizeBytes <= POPULATE_MAX_BYTES;
    boolean isShared = arena.committedEnd % granuleBytes != 0; // the last granule, with others
    if (worthIt && arena.isZeroFrom(from) && !isShared) {
      var _ = space.settings.os().populate(from, sizeBytes);
    }
  }

  /** Where the committed granules end that follow an address: they come for nothing. */
  private static long withCommittedBehind(Reservation reservation, long address, long limit) {
    if (address >= limit) {
      return address;
    }
    long base = reservation.baseAddress();
    return base + reservation.nextUncommitted(address - base, limit - base);
  }

  private long tryGrow(Request request) {
    ChunkedArena arena = request.arena;
    space.lock.lock();
    try {
      space.damage.check();
      int before = arena.chunks.count();
      long committedBefore = arena.committedBytes;
      space.lock.changing = true;
      long result = takeOrGiveBack(request, before);
      space.trimmer.noteTaken(Math.max(0, arena.committedBytes - committedBefore));
      space.lock.changing = false;
      return result;
    } finally {
      space.lock.unlock();
    }
  }

  /** Takes chunks and commits what is needed of them, or else, also of the heap, nothing. */
  private long takeOrGiveBack(Request request, int before) {
    ChunkedArena arena = request.arena;
    try {
      long result = SpaceState.NO_ADDRESSES;
      if (request.inPlace && before > 0) {
        result = extend(request);
      }
      if (result < 0) {
        giveBack(arena.chunks, before);
        long other = beginStretch(request);
        if (other < 0 && mayTakePiece(request)) {
          giveBack(arena.chunks, before);
          // Rather a page that is current for others than none.
          other = space.chunks.pieces.shareCurrent() ? beginStretch(request) : other;
        }
        // Where there are no addresses either, the first refusal is the one that can be mended.
        result = other == SpaceState.NO_ADDRESSES ? result : other;
      }
      if (result < 0) {
        giveBack(arena.chunks, before);
      }
      return result;
    } catch (OutOfMemoryError e) { // what needs the heap comes before anything else
      giveBack(arena.chunks, before);
      space.lock.changing = false;
      throw e;
    }
  }

  /** Takes the chunks that follow the stretch. */
  private long extend(Request request) {
    ChunkedArena arena = request.arena;
    long start = request.alignUp(request.top);
    long neededBytes = start + request.sizeBytes - arena.stretchEnd;
    if (metadataBytes(neededBytes) > MOST_METADATA_BYTES) {
      return SpaceState.NO_HEAP; // as for a stretch of its own; the gap counts, too
    }
    long last = arena.chunks.last();
    if (Chunk.isPiece(last)) {
      return extendPiece(request, last, start, neededBytes);
    }
    Node node = space.nodes.ofRoot(Chunk.root(last));
    long offsetBytes = node.offsetBytes(last) + Chunk.bytes(last);
    long wantedBytes = wantedInPlace(request, neededBytes);
    long freeBytes = space.chunks.freeBytesAt(node, offsetBytes, wantedBytes);
    if (Math.min(freeBytes, wantedBytes) < neededBytes) {
      return SpaceState.NO_ADDRESSES;
    }
    int before = arena.chunks.count();
    long bytes = Math.min(freeBytes, wantedBytes);
    long wholeEnd = (arena.stretchEnd + bytes) & -space.settings.granuleBytes();
    if (wholeEnd - arena.stretchEnd >= neededBytes) {
      bytes = wholeEnd - arena.stretchEnd; // leave the piece of a granule to small arenas
    }
    space.chunks.takeAt(node, offsetBytes, bytes, arena.chunks);
    return commitNew(request, before, start, arena.stretchEnd, arena.committedEnd);
  }

  /** Takes what follows the piece in its page, which is committed. */
  private long extendPiece(Request request, long piece, long start, long neededBytes) {
    ChunkedArena arena = request.arena;
    PiecePages pieces = space.chunks.pieces;
    if (request.wantedBytes > PiecePages.LARGEST_BYTES) {
      return SpaceState.NO_ADDRESSES; // more is to come, which is better off in its own pages
    }
    long longer = pieces.extend(piece, start + request.wantedBytes - arena.stretchEnd);
    if (longer == Chunk.NONE) {
      longer = pieces.extend(piece, neededBytes);
    }
    if (longer == Chunk.NONE) {
      return SpaceState.NO_ADDRESSES;
    }
    long moreBytes = Chunk.bytes(longer) - Chunk.bytes(piece);
    Reservation reservation = space.nodes.ofRoot(Chunk.root(piece)).reservation;
    var _ = reservation.markDirty(arena.stretchEnd - reservation.baseAddress(), moreBytes);
    arena.chunks.set(arena.chunks.count() - 1, longer);
    space.noteOwner(arena, arena.chunks.count() - 1);
    arena.committedBytes += moreBytes;
    arena.stretchEnd += moreBytes;
    arena.committedTo(arena.stretchEnd, true);
    space.counters.chunksEnlarged++;
    return start;
  }

  /** Gives the end of a piece back that an arena leaves for another stretch. */
  private void giveBackUnused(ChunkedArena arena, int index, long top) {
    long piece = arena.chunks.get(index);
    if (!Chunk.isPiece(piece)) {
      return;
    }
    long end = space.chunks.pieces.unusedEnd(piece, top - space.address(piece));
    if (end == Chunk.NONE) {
      return;
    }
    arena.chunks.set(index, Chunk.withoutEnd(piece, end));
    arena.committedBytes -= Chunk.bytes(end);
    space.forgetOwner(end);
    space.chunks.putBack(end);
  }

  /**
   * Bytes to extend a stretch by. Whole granules end with a granule, so that they share none; a
   * piece stays in its granule, since in another one it may as well begin elsewhere.
   */
  private long wantedInPlace(Request request, long neededBytes) {
    long stretchEnd = request.arena.stretchEnd;
    long bytes = roundUpToPage(Math.max(neededBytes, request.wantedBytes));
    long granuleEnd = space.alignToGranule(stretchEnd + bytes);
    if (request.wantedBytes >= space.settings.granuleBytes()) {
      return granuleEnd - stretchEnd;
    }
    return Math.min(bytes, space.alignToGranule(stretchEnd) - stretchEnd);
  }

  private long beginStretch(Request request) {
    ChunkedArena arena = request.arena;
    int before = arena.chunks.count();
    long refusal = takeChunks(request);
    if (refusal < 0) {
      return refusal;
    }
    long base = space.address(arena.chunks.get(before));
    long start = request.alignUp(base);
    return commitNew(request, before, start, 0, start & -space.settings.granuleBytes());
  }

  /**
   * Takes the chunks of another stretch, or of a block beside it; 0, or a refusal. Too large to be
   * inlined: each caller that grows would take C2 a second (ADR 0058).
   */
  private long takeChunks(Request request) {
    // Free memory of the space counts in the budget already.
    long newBytes = request.sizeBytes - space.chunks.freeCommittedBytes();
    if (request.sizeBytes > Chunk.ROOT_BYTES
        && newBytes > space.settings.budget().availableBytes()) {
      return Reservation.REFUSED_BY_BUDGET; // before any address space is reserved for it
    }
    if (!space.settings.isGrowable() && request.sizeBytes > space.settings.fixedSizeBytes()) {
      return SpaceState.NO_ADDRESSES;
    }
    if (metadataBytes(request.sizeBytes) > MOST_METADATA_BYTES) {
      return SpaceState.NO_HEAP; // the same for the Java heap
    }
    ChunkList chunks = request.arena.chunks;
    long alignment = Math.min(request.alignmentBytes, Chunk.ROOT_BYTES);
    chunks.prepare();
    if (mayTakePiece(request)) {
      ChunkedArena arena = request.arena;
      PiecePages pieces = space.chunks.pieces;
      if (chunks.count() == 0) {
        arena.pieceKind = pieces.kindOfNext(request.sizeBytes);
      }
      long piece = pieces.take(request.wantedBytes, arena.pieceKind);
      if (piece != Chunk.NONE) {
        chunks.add(piece);
        space.counters.chunksTaken++;
        return 0;
      }
    }
    if (Math.max(request.sizeBytes, request.alignmentBytes) <= Chunk.ROOT_BYTES) {
      long least = roundUpToPage(Math.max(request.sizeBytes, alignment));
      long wanted = Math.min(Chunk.ROOT_BYTES, Math.max(request.wantedBytes, least));
      long handle = space.chunks.take(Chunk.levelFor(wanted), Chunk.levelFor(least));
      if (handle != Chunk.NONE) {
        chunks.add(handle);
        return 0;
      }
    }
    long sizeBytes = roundUpToPage(request.sizeBytes);
    long run = space.chunks.findRun(sizeBytes, request.alignmentBytes);
    if (run == Chunk.NONE) {
      return SpaceState.NO_ADDRESSES;
    }
    Node node = space.nodes.ofRoot(Chunk.root(run));
    space.chunks.takeAt(node, node.offsetBytes(run), sizeBytes, chunks);
    return 0;
  }

  /** Estimate of the Java heap that the bookkeeping for committed memory takes. */
  private long metadataBytes(long sizeBytes) {
    return 2 * (sizeBytes / space.settings.granuleBytes() / Byte.SIZE)
        + (sizeBytes >>> Chunk.ROOT_SHIFT) * ROOT_METADATA_BYTES;
  }

  private static boolean mayTakePiece(Request request) {
    return request.wantedBytes <= PiecePages.LARGEST_BYTES
        && request.alignmentBytes <= 1L << Chunk.PIECE_SHIFT;
  }

  /** No chunk is smaller than a page of pieces: a smaller one would keep others from being one. */
  private static long roundUpToPage(long sizeBytes) {
    return (sizeBytes + PiecePages.PAGE_BYTES - 1) & -PiecePages.PAGE_BYTES;
  }

  /**
   * Commits what a request needs of the chunks it has just got, and makes them part of the arena;
   * if that is refused, gives them back.
   *
   * @param oldEnd end of the stretch before; 0 if the chunks are a stretch of their own
   * @param from where the arena is not committed yet
   */
  private long commitNew(Request request, int before, long start, long oldEnd, long from) {
    ChunkedArena arena = request.arena;
    long newEnd = space.end(arena.chunks.last());
    long to =
        Math.min(newEnd, space.alignToGranule(start + request.sizeBytes) + request.aheadBytes);
    if (Chunk.level(arena.chunks.last()) > space.chunks.granuleLevel()) {
      to = newEnd; // the granule of a small chunk is committed for its neighbours as well
    }
    Reservation reservation = space.nodes.nodeOf(start).reservation;
    long offsetBytes = from - reservation.baseAddress();
    long oldCommittedBytes = 0;
    if (oldEnd > from) {
      oldCommittedBytes = reservation.committedBytes(offsetBytes, oldEnd - from);
    }
    space.prepareOwner(arena, before);
    if (oldEnd == 0 && arena.stretchStart != 0) {
      var _ = arena.prepareRetire();
    }
    long result = space.commit(reservation, offsetBytes, to - from);
    if (result < 0) {
      return result;
    }
    to = request.aside ? to : withCommittedBehind(reservation, to, newEnd);
    boolean dirty = reservation.markDirty(offsetBytes, to - from);
    if (oldEnd > from) {
      arena.committedBytes +=
          reservation.committedBytes(offsetBytes, oldEnd - from) - oldCommittedBytes;
    }
    for (int i = before; i < arena.chunks.count(); i++) {
      arena.committedBytes += space.chunks.committedBytes(arena.chunks.get(i));
    }
    space.counters.commits += result > 0 ? 1 : 0;
    space.noteOwner(arena, before);
    if (request.aside) {
      arena.chunks.moveBehind(before - 1); // the last chunk is the one that the stretch ends with
      arena.noteAside(start, start + request.sizeBytes, dirty);
    } else if (oldEnd == 0) {
      if (before > 0) {
        giveBackUnused(arena, before - 1, request.top);
      }
      arena.beginStretch(request.top, start, newEnd, to, dirty);
      boolean piece = newEnd - start < space.settings.granuleBytes();
      arena.pieceCount += piece ? 1 : 0;
    } else {
      arena.stretchEnd = newEnd;
      arena.committedTo(to, dirty);
      space.counters.chunksEnlarged++;
    }
    return start;
  }

  private void giveBack(ChunkList chunks, int before) {
    // Merged at once: a piece of a granule that is not committed must not stay on its own.
    space.chunks.putBack(chunks, before);
    space.counters.chunksTaken -= chunks.count() - before;
    chunks.truncate(before);
  }

  /**
   * The request of an arena.
   *
   * @param inPlace whether the stretch is to be extended, where that is possible
   * @param aside whether it is for a block beside the stretch
   */
  private record Request(
      ChunkedArena arena,
      long top,
      long sizeBytes,
      long alignmentBytes,
      long wantedBytes,
      long aheadBytes,
      boolean inPlace,
      boolean aside) {
    long alignUp(long address) {
      return (address + alignmentBytes - 1) & -alignmentBytes;
    }
  }
}
