package dev.arenal.elastic;

import dev.arenal.elastic.StretchGrowth.Request;
import dev.arenal.os.NativeMemory;
import dev.arenal.reserve.Reservation;

/**
 * Blocks of a large alignment, which get chunks of their own beside the stretch of their arena. The
 * stretch stays as it is: what lies before such a block in it would be committed for nothing, and
 * where a stretch is left for one, its rest is lost to all.
 */
final class AsideBlocks {
  private final SpaceState space;

  AsideBlocks(SpaceState space) {
    this.space = space;
  }

  /**
   * Gives an arena that has a stretch a block beside it.
   *
   * @return the address of the block, which is zero; or a refusal
   */
  long take(ChunkedArena arena, long sizeBytes, long alignmentBytes) {
    var _ = arena.prepareRetire();
    boolean isDirty;
    long start;
    space.lock.lock();
    try {
      space.damage.check();
      Request request = new Request(arena, 0, sizeBytes, alignmentBytes, sizeBytes, 0, false);
      int before = arena.chunks.count();
      space.lock.changing = true;
      try {
        start = space.growth.takeChunks(request);
        start = start < 0 ? start : commit(request, before);
      } catch (OutOfMemoryError e) { // what needs the heap comes before anything else
        space.growth.giveBack(arena.chunks, before);
        space.lock.changing = false;
        throw e;
      }
      if (start < 0) {
        space.growth.giveBack(arena.chunks, before);
        space.lock.changing = false;
        return start;
      }
      Reservation reservation = space.nodes.nodeOf(start).reservation;
      long granulesBytes = space.alignToGranule(start + sizeBytes) - start;
      isDirty = reservation.markDirty(start - reservation.baseAddress(), granulesBytes);
      arena.chunks.moveBehind(before - 1); // the last chunk is the one that the stretch ends with
      arena.noteAside(start, start + sizeBytes);
      space.trimmer.noteTaken(granulesBytes);
      space.lock.changing = false;
    } finally {
      space.lock.unlock();
    }
    if (isDirty) {
      NativeMemory.zero(start, sizeBytes);
    }
    return start;
  }

  /** Commits what a block needs of the chunks that were taken for it, each of whole granules. */
  private long commit(Request request, int before) {
    ChunkedArena arena = request.arena();
    long start = request.alignUp(space.address(arena.chunks.get(before)));
    Reservation reservation = space.nodes.nodeOf(start).reservation;
    space.prepareOwner(arena, before);
    long granulesBytes = space.alignToGranule(start + request.sizeBytes()) - start;
    long result = space.commit(reservation, start - reservation.baseAddress(), granulesBytes);
    if (result < 0) {
      return result;
    }
    for (int i = before; i < arena.chunks.count(); i++) {
      arena.committedBytes += space.committedBytes(arena.chunks.get(i));
    }
    space.counters.commits += result > 0 ? 1 : 0;
    space.noteOwner(arena, before);
    return start;
  }
}
