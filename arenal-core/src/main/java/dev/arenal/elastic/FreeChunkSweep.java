package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.elastic.chunk.ChunkManager;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.os.HugePages;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Claims;
import dev.arenal.supply.FreeSweep;
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
final class FreeChunkSweep extends FreeSweep {
  /** Granules to look at without letting others have the lock. */
  private static final int MOST_LOOKS = 256;

  private static final int MOST_CHUNKS = 64;

  private final SpaceState space;
  private final long wantedBytes;
  private final boolean hugePages;
  private final long granuleBytes;

  // All of this is guarded by the lock of the space.

  /** Claims that were committed for this pretouch. */
  private final List<Claim> committedHere = new ArrayList<>();

  private int nodeIndex;
  private long offsetBytes;
  private long foundBytes;

  /** How much is touched at most: what is wanted and not in use. */
  private long mostBytes;

  /** The most that it still commits: others may give that back again and again. */
  private long restCommitBytes;

  private long refusal;
  private long refusedBytes;

  /** Free chunks that follow each other; in no free list until they are touched. */
  private final class Claim extends Piece {
    final Node node;
    final long offsetBytes;
    final ChunkList chunks = new ChunkList();
    long sizeBytes;

    Claim(Node node, long offsetBytes) {
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
     * Ends huge pages before the piece is free, so that memory of it that goes back and comes again
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
      putBack();
      space.trimmer.endClaim(Claims.Use.PRETOUCH, sizeBytes);
    }

    void putBack() {
      for (int i = 0; i < chunks.count(); i++) {
        space.chunks.putBack(chunks.get(i));
      }
    }
  }

  /**
   * A sweep from the first address on.
   *
   * @param wantedBytes how much shall be committed in the end; whole granules
   */
  FreeChunkSweep(SpaceState space, long wantedBytes, boolean hugePages) {
    super(space.lock, space.claims, space.damage);
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
  protected @Nullable Piece claim(long mostAtOnce) {
    Claim claim = lookWhole(mostAtOnce);
    if (refusal < 0) {
      long why = refusal;
      refusal = 0;
      throw space.refused(refusedBytes, why);
    }
    return claim;
  }

  /** Not in {@link #next}, where reclaimers would run with a lock held. */
  @Override
  public boolean makeRoom() {
    space.pretouch.reclaimForPretouch();
    return true;
  }

  private @Nullable Claim lookWhole(long mostAtOnce) {
    space.lock.changing = true;
    Claim claim;
    try {
      claim = look(mostAtOnce);
    } catch (OutOfMemoryError e) { // the heap is full, and nothing has been claimed
      space.lock.changing = false;
      throw e;
    }
    space.lock.changing = false;
    return claim;
  }

  /** The next piece, or null after a step without one. */
  private @Nullable Claim look(long mostAtOnce) {
    long missingBytes = wantedBytes - space.nodes.committedBytes();
    long commitBytes = Math.clamp(missingBytes, 0, restCommitBytes);
    if (foundBytes >= mostBytes && commitBytes == 0) {
      isAtEnd = true;
      return null;
    }
    if (nodeIndex == space.nodes.count()) {
      if (commitBytes == 0 || !space.settings.isGrowable()) {
        isAtEnd = true;
      } else if (space.nodes.add(Chunk.ROOT_BYTES) == null) {
        refuse(commitBytes, SpaceState.NO_ADDRESSES);
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

  private @Nullable Claim lookIn(Node node, long mostAtOnce, long commitBytes) {
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
      if (isWanted && isFree(node, offsetBytes)) {
        return claim(node, claimEnd(node, mostAtOnce, committed, commitBytes), committed);
      }
      offsetBytes += granuleBytes;
    }
    return null;
  }

  private boolean isFree(Node node, long atBytes) {
    return space.chunks.freeLevelAround(node.rootAt(atBytes), node.unitAt(atBytes)) >= 0;
  }

  private long claimEnd(Node node, long mostAtOnce, boolean committed, long commitBytes) {
    long restBytes = committed ? mostBytes - foundBytes : commitBytes;
    long pieceBytes = Math.min(Math.max(mostAtOnce, granuleBytes), restBytes);
    long end = Math.min(node.usedBytes(), offsetBytes + (pieceBytes & -granuleBytes));
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

  private @Nullable Claim claim(Node node, long end, boolean committed) {
    Claim claim = new Claim(node, offsetBytes);
    if (!committed) {
      committedHere.add(claim);
    }
    long result = -1;
    try {
      take(claim, end);
      result = committed ? 0 : space.commit(node.reservation, offsetBytes, claim.sizeBytes);
    } finally {
      if (result < 0) { // refused, or the heap is full
        claim.putBack();
        if (!committed) {
          committedHere.removeLast();
        }
      }
    }
    if (result < 0) {
      refuse(claim.sizeBytes, result);
      return null;
    }
    space.counters.commits += committed ? 0 : 1;
    space.trimmer.beginClaim(Claims.Use.PRETOUCH, claim.sizeBytes);
    offsetBytes += claim.sizeBytes;
    foundBytes += claim.sizeBytes;
    restCommitBytes -= committed ? 0 : claim.sizeBytes;
    return claim;
  }

  private static void takeOne(ChunkManager chunks, Claim claim, long at, int level) {
    claim.chunks.prepare();
    claim.chunks.add(chunks.takeWithin(claim.node.rootAt(at), claim.node.unitAt(at), level));
    claim.sizeBytes += Chunk.sizeBytes(level);
  }

  private void take(Claim claim, long end) {
    Node node = claim.node;
    long at = claim.offsetBytes;
    while (at < end && claim.chunks.count() < MOST_CHUNKS && isFree(node, at)) {
      int around = space.chunks.freeLevelAround(node.rootAt(at), node.unitAt(at));
      takeOne(space.chunks, claim, at, node.levelAt(at, around, end - at));
      at = claim.offsetBytes + claim.sizeBytes;
    }
  }

  private void refuse(long sizeBytes, long why) {
    refusedBytes = sizeBytes;
    refusal = why;
  }

  // ---- what becomes of it ----

  /** Each piece is told so when it has been touched; this is for those that failed. */
  @Override
  public boolean wantsSmallPagesLater() {
    return granuleBytes < HugePages.SIZE_BYTES;
  }

  @Override
  protected void giveBack() {
    RuntimeException exception = null;
    Error error = null;
    for (int i = committedHere.size() - 1; i >= 0; i--) {
      try {
        giveBack(committedHere.get(i));
        var _ = committedHere.remove(i);
      } catch (RuntimeException e) { // the others go back nevertheless
        exception = e;
      } catch (Error e) { // the heap is full
        error = e;
      }
    }
    if (error != null) {
      throw error;
    }
    if (exception != null) {
      throw exception;
    }
  }

  private void giveBack(Claim claim) {
    long end = claim.offsetBytes + claim.sizeBytes;
    space.trimmer.giveBackFree(claim.node, claim.offsetBytes, end);
  }

  @Override
  protected void end() {
    space.lock.lock();
    try {
      space.claims.signal();
    } finally {
      space.lock.unlock();
    }
  }
}
