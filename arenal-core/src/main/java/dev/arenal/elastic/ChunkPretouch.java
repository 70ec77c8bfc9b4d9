package dev.arenal.elastic;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.os.HugePages;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.FreePretouch;
import dev.arenal.touch.Toucher;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The free memory of a space in the order of its addresses, for one pretouch.
 *
 * <p>Free chunks are claimed: they are not in the free lists while they are touched without the
 * lock. Uncommitted parts of them are committed first, until the space has as much committed as is
 * wanted. A chunk that has been touched is free and resident. Memory in use is left alone.
 */
final class ChunkPretouch extends FreePretouch {
  /** Granules to look at without letting others have the lock. */
  private static final int MOST_LOOKS = 256;

  private static final int MOST_CHUNKS = 64;

  private final SpaceState space;
  private final long wantedBytes;
  private final boolean hugePages;
  private final long granuleBytes;

  // All of this is guarded by the lock of the space.

  /** Parts that were committed for this pretouch. */
  private final List<ChunkPart> committedHere = new ArrayList<>();

  private int nodeIndex;
  private long offsetBytes;
  private long foundBytes;

  /** How much is touched at most: what is wanted and not in use. */
  private long mostBytes;

  /** The most that it still commits: others may give that back again and again. */
  private long restCommitBytes;

  /** Free chunks that follow each other; in no free list until they are touched. */
  private final class ChunkPart extends Part {
    final Node node;
    final long offsetBytes;
    final ChunkList chunks = new ChunkList();
    long sizeBytes;

    ChunkPart(Node node, long offsetBytes) {
      this.node = node;
      this.offsetBytes = offsetBytes;
    }

    @Override
    public long address() {
      return node.reservation.baseAddress() + offsetBytes;
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    /**
     * Ends huge pages before the part is free, so that memory of it that goes back and comes again
     * does not bring its neighbours along.
     */
    @Override
    protected int touchClaimed(Toucher toucher) {
      int error = toucher.touch(address(), sizeBytes);
      if (error == 0 && hugePages && wantsSmallPagesLater()) {
        HugePages.adviseWithin(space.settings.os(), address(), sizeBytes, false);
      }
      return error;
    }

    /** Free like the others. */
    @Override
    protected void release() {
      space.chunks.putBack(chunks, 0);
      space.trimmer.endPretouch(sizeBytes);
    }
  }

  /**
   * A sweep from the first address on.
   *
   * @param wantedBytes how much shall be committed in the end; whole granules
   */
  ChunkPretouch(SpaceState space, long wantedBytes, boolean hugePages) {
    super(space.claims);
    this.space = space;
    this.wantedBytes = wantedBytes;
    this.restCommitBytes = wantedBytes;
    this.hugePages = hugePages;
    this.granuleBytes = space.settings.granuleBytes();
  }

  // ---- what comes next ----

  @Override
  protected long begin() {
    var _ = space.claims.awaitDiscards(); // memory that is claimed now would be missing at the end
    space.lock.lock();
    try {
      space.mergeReturned(); // a part of a granule is free, and known to be with its neighbours
      long usedBytes = space.nodes.committedBytes() - space.chunks.freeCommittedBytes();
      mostBytes = Math.max(0, wantedBytes - usedBytes);
      return mostBytes;
    } finally {
      space.lock.unlock();
    }
  }

  @Override
  protected @Nullable Part claim(long mostAtOnce) {
    space.lock.changing = true;
    ChunkPart part;
    try {
      part = look(mostAtOnce);
    } catch (OutOfMemoryError e) { // it is refused, or the heap is full: nothing has been claimed
      space.lock.changing = false;
      throw e;
    }
    space.lock.changing = false;
    return part;
  }

  /** Not in {@link #next}, where reclaimers would run with a lock held. */
  @Override
  public boolean makeRoom() {
    space.pretouch.reclaimForPretouch(wantedBytes);
    return true;
  }

  /** The next part, or null after a step without one. */
  private @Nullable ChunkPart look(long mostAtOnce) {
    long missingBytes = wantedBytes - space.nodes.committedBytes();
    long commitBytes = Math.clamp(missingBytes, 0, restCommitBytes);
    if (foundBytes >= mostBytes && commitBytes == 0) {
      isAtEnd = true;
      return null;
    }
    if (nodeIndex == space.nodes.count()) {
      if (commitBytes == 0 || !space.settings.isGrowable()) {
        isAtEnd = true;
      } else if (space.nodes.add(Chunk.ROOT_BYTES, Chunk.ROOT_BYTES) == null) {
        throw refused(commitBytes, SpaceState.NO_ADDRESSES);
      }
      return null;
    }
    Node node = space.nodes.get(nodeIndex);
    if (offsetBytes == node.usedBytes() && commitBytes > 0 && !node.isFull()) {
      space.chunks.openRoot(node);
    }
    if (offsetBytes == node.usedBytes()) {
      nodeIndex++;
      offsetBytes = 0;
      return null;
    }
    var _ = space.chunks.mergeReturned();
    return lookIn(node, mostAtOnce, commitBytes);
  }

  private @Nullable ChunkPart lookIn(Node node, long mostAtOnce, long commitBytes) {
    Reservation reservation = node.reservation;
    long end = node.usedBytes();
    for (int i = 0; i < MOST_LOOKS && offsetBytes < end; i++) {
      if (commitBytes == 0) {
        offsetBytes = reservation.nextCommitted(offsetBytes, end);
        if (offsetBytes == end) {
          return null;
        }
      }
      boolean committed = reservation.isCommitted(offsetBytes);
      boolean isWanted = committed ? foundBytes < mostBytes : commitBytes > 0;
      if (isWanted && space.chunks.freeLevelAround(node, offsetBytes) >= 0) {
        return claim(node, claimEnd(node, mostAtOnce, committed, commitBytes), committed);
      }
      offsetBytes += granuleBytes;
    }
    return null;
  }

  private long claimEnd(Node node, long mostAtOnce, boolean committed, long commitBytes) {
    long restBytes = committed ? mostBytes - foundBytes : commitBytes;
    long partBytes = Math.min(Math.max(mostAtOnce, granuleBytes), restBytes);
    long end = Math.min(node.usedBytes(), offsetBytes + (partBytes & -granuleBytes));
    if (committed) {
      end = node.reservation.nextUncommitted(offsetBytes, end);
    } else {
      end = node.reservation.nextCommitted(offsetBytes, end);
    }
    if (!hugePages || granuleBytes >= HugePages.SIZE_BYTES) {
      return end;
    }
    // Nodes are aligned to more than a huge page, so offsets are as good as addresses.
    long nextHuge = HugePages.alignUp(offsetBytes);
    long lastHuge = HugePages.alignDown(end);
    return nextHuge > offsetBytes
        ? Math.min(nextHuge, end)
        : lastHuge > offsetBytes ? lastHuge : end;
  }

  private ChunkPart claim(Node node, long end, boolean committed) {
    ChunkPart part = new ChunkPart(node, offsetBytes);
    if (!committed) {
      committedHere.add(part);
    }
    long result = -1;
    try {
      take(part, end);
      result = committed ? 0 : space.commit(node.reservation, offsetBytes, part.sizeBytes);
    } finally {
      if (result < 0) { // refused, or the heap is full
        space.chunks.putBack(part.chunks, 0);
        if (!committed) {
          committedHere.removeLast();
        }
      }
    }
    if (result < 0) {
      throw refused(part.sizeBytes, result);
    }
    space.counters.commits += committed ? 0 : 1;
    space.trimmer.beginPretouch(part.sizeBytes);
    offsetBytes += part.sizeBytes;
    foundBytes += part.sizeBytes;
    restCommitBytes -= committed ? 0 : part.sizeBytes;
    return part;
  }

  private void take(ChunkPart part, long end) {
    long at = part.offsetBytes;
    while (at < end && part.chunks.count() < MOST_CHUNKS) {
      part.chunks.prepare();
      long handle = space.chunks.takeWithin(part.node, at, end);
      if (handle == Chunk.NONE) {
        return;
      }
      part.chunks.add(handle);
      part.sizeBytes += Chunk.bytes(handle);
      at += Chunk.bytes(handle);
    }
  }

  private OutOfNativeMemoryError refused(long sizeBytes, long why) {
    space.lock.changing = false; // nothing has been claimed
    return SpaceMessage.ofRefusal(space, null, sizeBytes, 0, why);
  }

  // ---- what becomes of it ----

  /** Each part is told so when it has been touched; this is for those that failed. */
  @Override
  public boolean wantsSmallPagesLater() {
    return granuleBytes < HugePages.SIZE_BYTES;
  }

  @Override
  protected void discardCommitted() {
    Throwable trouble = null;
    for (int i = committedHere.size() - 1; i >= 0; i--) {
      try {
        ChunkPart part = committedHere.get(i);
        long end = part.offsetBytes + part.sizeBytes;
        space.trimmer.discardFree(part.node, part.offsetBytes, end);
        var _ = committedHere.remove(i);
      } catch (RuntimeException | Error e) { // the heap is full, say: the others go back
        trouble = trouble instanceof Error ? trouble : e;
      }
    }
    if (trouble instanceof Error error) {
      throw error;
    }
    if (trouble instanceof RuntimeException exception) {
      throw exception;
    }
  }
}
