package dev.arenal.elastic;

import dev.arenal.memory.Reservation;
import dev.arenal.touch.TouchPiece;
import dev.arenal.touch.TouchSource;
import dev.arenal.touch.Toucher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a space in the order of its addresses, for one pretouch.
 *
 * <p>Free chunks are claimed: they are nobody's while they are touched without the lock, what is
 * not committed of them is committed, and then they are free and warm. Memory in use, or in a
 * granule with something in use, is touched under the lock, a little at a time: what is committed
 * then and not {@linkplain Leaving leaving} is accessible and stays so until the lock is free. What
 * arenas commit behind the cursor meanwhile is theirs. Where less is committed at the end than was
 * wanted, since others have taken it away meanwhile, further sweeps fill that up.
 */
final class PretouchSource implements TouchSource {
  static final long HUGE_PAGE_BYTES = 2 << 20;

  /** Sixteen pages a call, and short enough to hold the lock for. */
  private static final long STEP_BYTES = 64 * 1024;

  /** A piece in use; less than a huge page, whose other part may have gone back meanwhile. */
  private static final long MOST_IN_USE_BYTES = 1 << 20;

  /** Granules to look at without letting others have the lock. */
  private static final int MOST_LOOKS = 256;

  private static final int MOST_CHUNKS = 64;

  /** Others may take again and again what is pretouched. */
  private static final int MOST_SWEEPS = 8;

  /** A thread that waits for the lock while memory in use is touched gets it; some microseconds. */
  private static final int SPINS = 1000;

  private final SpaceState space;
  private final long wantedBytes;
  private final boolean hugePages;
  private final long granuleBytes;

  /** Threads that the budget has refused a piece, and that have not got one since; by anyone. */
  private final Set<Thread> roomMakers = ConcurrentHashMap.newKeySet();

  // All of this is guarded by the lock of the space.

  /** What is claimed: a piece for each thread at most, so a list will do, and needs no heap. */
  private @Nullable Claim claims;

  /** Claims that were committed for this pretouch. */
  private final List<Claim> fresh = new ArrayList<>();

  private int nodeIndex;
  private long offsetBytes;
  private long foundBytes;

  /** The cursor has come to the end; whether it was the last time is to be seen. */
  private boolean swept;

  /** Not the first sweep: it claims what is not committed, and leaves the rest alone. */
  private boolean isRepeated;

  private int countSweeps;
  private int countWaits;
  private boolean ended;
  private long refusal;
  private long refusedBytes;

  /** Free chunks that follow each other; nobody's until they are touched. */
  private static final class Claim {
    final Node node;
    final long offsetBytes;
    final ChunkList chunks = new ChunkList();

    /** The thread that has got it touches it. */
    final Thread owner = Thread.currentThread();

    long sizeBytes;
    @Nullable Claim next;

    Claim(Node node, long offsetBytes) {
      this.node = node;
      this.offsetBytes = offsetBytes;
    }

    long address() {
      return node.reservation.baseAddress() + offsetBytes;
    }

    /**
     * Whether the calling thread has got it as this piece. The address alone is not enough: what
     * was claimed and has come back may have gone and been claimed again.
     */
    boolean is(TouchPiece piece) {
      return address() == piece.address() && owner.equals(Thread.currentThread());
    }
  }

  /**
   * A sweep from the first address on.
   *
   * @param wantedBytes how much shall be committed and resident in the end; whole granules
   */
  PretouchSource(SpaceState space, long wantedBytes, boolean hugePages) {
    this.space = space;
    this.wantedBytes = wantedBytes;
    this.hugePages = hugePages;
    this.granuleBytes = space.settings.granuleBytes();
  }

  // ---- what comes next ----

  @Override
  public @Nullable TouchPiece next(long mostBytes) {
    while (true) {
      boolean leaves;
      space.lock.lock();
      try {
        space.retries.giveWay();
        space.damage.check();
        TouchPiece piece = lookWhole(mostBytes);
        if (piece != null || ended) {
          roomMakers.remove(Thread.currentThread());
          return piece;
        }
        leaves = swept && space.leaving.totalBytes() > 0;
      } finally {
        space.lock.unlock();
      }
      if (refusal == Reservation.REFUSED_BY_BUDGET && roomMakers.add(Thread.currentThread())) {
        refusal = 0;
        throw new OutOfMemoryError("the budget is used up: space=" + space.settings.name());
      } else if (refusal < 0) {
        throw space.outOfMemory(refusedBytes, refusal);
      } else if (leaves) {
        var _ = space.retries.awaitReturned();
      }
    }
  }

  /** Once for each piece; not in {@link #next}, where reclaimers would run with a lock held. */
  @Override
  public boolean makeRoom() {
    boolean isRefused = roomMakers.contains(Thread.currentThread());
    if (isRefused) {
      space.pretouch.reclaimForPretouch();
    }
    return isRefused; // otherwise the Java heap is full
  }

  private @Nullable TouchPiece lookWhole(long mostBytes) {
    space.lock.changing = true;
    TouchPiece piece;
    try {
      piece = look(mostBytes);
    } catch (OutOfMemoryError e) { // the heap is full, and nothing has been claimed
      space.lock.changing = false;
      throw e;
    }
    space.lock.changing = false;
    return piece;
  }

  private @Nullable TouchPiece look(long mostBytes) {
    if (swept) {
      sweepAgain();
      return null;
    }
    long coldBytes = Math.max(0, wantedBytes - space.nodes.committedBytes());
    // A sweep finds no more than that, even if others take it all away behind the cursor.
    if (foundBytes >= wantedBytes || (isRepeated && coldBytes == 0)) {
      swept = true;
      return null;
    }
    if (nodeIndex == space.nodes.count()) {
      if (coldBytes == 0 || !space.settings.isGrowable()) {
        swept = true;
      } else if (space.nodes.add(Chunk.ROOT_BYTES) == null) {
        refuse(coldBytes, SpaceState.NO_ADDRESSES);
      }
      return null;
    }
    Node node = space.nodes.get(nodeIndex);
    if (offsetBytes == node.usedBytes() && coldBytes > 0 && !node.isFull()) {
      space.chunks.open(node, node.firstRoot + node.usedRoots);
    }
    if (offsetBytes == node.usedBytes()) {
      nodeIndex++;
      offsetBytes = 0;
      return null;
    }
    var _ = space.chunks.mergeRecent();
    return lookIn(node, mostBytes, coldBytes);
  }

  /**
   * At the end of a sweep: what has come back may have been taken by others of the budget, and what
   * was leaving when the sweep came by has gone. As much is committed elsewhere then.
   */
  private void sweepAgain() {
    long leavingBytes = space.leaving.totalBytes();
    boolean helps = countSweeps == 0 || (countSweeps < MOST_SWEEPS && foundBytes > 0);
    if (space.nodes.committedBytes() - leavingBytes >= wantedBytes || !helps) {
      ended = true;
      return;
    }
    if (leavingBytes > 0 && countWaits < MOST_SWEEPS) {
      countWaits++;
      return; // waits for it, without the lock
    }
    swept = false;
    isRepeated = true;
    countSweeps++;
    nodeIndex = 0;
    offsetBytes = 0;
    foundBytes = 0;
  }

  private @Nullable TouchPiece lookIn(Node node, long mostBytes, long coldBytes) {
    Reservation reservation = node.reservation;
    long end = node.usedBytes();
    for (int i = 0; i < MOST_LOOKS && offsetBytes < end; i++) {
      if (isRepeated) {
        offsetBytes = reservation.nextUncommitted(offsetBytes, end);
      } else if (coldBytes == 0) {
        offsetBytes = reservation.nextCommitted(offsetBytes, end);
      }
      if (offsetBytes == end) {
        return null;
      }
      boolean committed = reservation.isCommitted(offsetBytes);
      boolean free = isFree(node, offsetBytes);
      if (free && (committed || coldBytes > 0)) {
        return claim(node, claimEnd(node, mostBytes, committed, coldBytes), committed);
      }
      if (!free && committed) {
        return inUse(node, mostBytes);
      }
      offsetBytes += granuleBytes;
    }
    return null;
  }

  private boolean isFree(Node node, long atBytes) {
    return space.chunks.freeLevelAround(node.rootAt(atBytes), node.unitAt(atBytes)) >= 0;
  }

  private long claimEnd(Node node, long mostBytes, boolean committed, long coldBytes) {
    long pieceBytes = Math.min(Math.max(mostBytes, granuleBytes), wantedBytes - foundBytes);
    long end = Math.min(node.usedBytes(), offsetBytes + (pieceBytes & -granuleBytes));
    if (committed) {
      end = node.reservation.nextUncommitted(offsetBytes, end);
    } else {
      end = node.reservation.nextCommitted(offsetBytes, Math.min(end, offsetBytes + coldBytes));
    }
    if (!hugePages || granuleBytes >= HUGE_PAGE_BYTES) {
      return end;
    }
    // Nodes are aligned to more than a huge page, so offsets are as good as addresses.
    long nextHuge = (offsetBytes + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
    long lastHuge = end & -HUGE_PAGE_BYTES;
    return nextHuge > offsetBytes
        ? Math.min(nextHuge, end)
        : lastHuge > offsetBytes ? lastHuge : end;
  }

  private @Nullable TouchPiece claim(Node node, long end, boolean committed) {
    Claim claim = new Claim(node, offsetBytes);
    if (!committed) {
      fresh.add(claim);
    }
    long result = -1;
    try {
      take(claim, end);
      result = committed ? 0 : space.commit(node.reservation, offsetBytes, claim.sizeBytes);
    } finally {
      if (result < 0) { // refused, or the heap is full
        putBack(claim);
        if (!committed) {
          fresh.removeLast();
        }
      }
    }
    if (result < 0) {
      refuse(claim.sizeBytes, result);
      return null;
    }
    space.counters.commits += committed ? 0 : 1;
    claim.next = claims;
    claims = claim;
    space.pretouch.noteClaimed(claim.sizeBytes);
    return found(claim.address(), claim.sizeBytes);
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

  private @Nullable TouchPiece inUse(Node node, long mostBytes) {
    long base = node.reservation.baseAddress();
    long leavesUntil = space.leaving.endOf(base + offsetBytes) - base;
    if (leavesUntil > offsetBytes) {
      offsetBytes = leavesUntil;
      return null;
    }
    long pieceBytes = Math.min(Math.min(mostBytes, MOST_IN_USE_BYTES), wantedBytes - foundBytes);
    long limit =
        Math.min(
            node.usedBytes(), offsetBytes + Math.max(granuleBytes, pieceBytes & -granuleBytes));
    long end = node.reservation.nextUncommitted(offsetBytes, limit);
    end = space.leaving.nextStart(base + offsetBytes, base + end) - base;
    long to = offsetBytes + granuleBytes;
    while (to < end && !isFree(node, to)) {
      to += granuleBytes;
    }
    return found(base + offsetBytes, to - offsetBytes);
  }

  private TouchPiece found(long address, long sizeBytes) {
    offsetBytes += sizeBytes;
    foundBytes += sizeBytes;
    return new TouchPiece(address, sizeBytes);
  }

  private void refuse(long sizeBytes, long why) {
    refusedBytes = sizeBytes;
    refusal = why;
  }

  // ---- touching ----

  @Override
  public int touch(TouchPiece piece, Toucher toucher) {
    Claim claim = claimOf(piece);
    if (claim == null) {
      return touchInUse(piece.address(), piece.address() + piece.sizeBytes(), toucher);
    }
    try {
      int error = toucher.touch(piece.address(), piece.sizeBytes());
      if (error == 0) {
        endHugePages(claim);
      }
      return error;
    } finally {
      release(piece); // at once, whatever has happened: arenas may wait for it
    }
  }

  /**
   * Memory of it that goes back and comes again must not bring its neighbours along; said before it
   * is anybody's.
   */
  private void endHugePages(Claim claim) {
    long start = (claim.address() + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
    long end = (claim.address() + claim.sizeBytes) & -HUGE_PAGE_BYTES;
    if (hugePages && wantsSmallPagesLater() && start < end) {
      var _ = space.settings.os().adviseHuge(start, end - start, false);
    }
  }

  private int touchInUse(long address, long end, Toucher toucher) {
    for (long at = address; at < end; at += STEP_BYTES) {
      int error;
      space.lock.lock();
      try {
        error = touchCommitted(at, Math.min(at + STEP_BYTES, end), toucher);
      } finally {
        space.lock.unlock();
      }
      if (error < 0) {
        return error;
      }
      for (int i = 0; i < SPINS && space.lock.hasQueuedThreads(); i++) {
        Thread.onSpinWait();
      }
    }
    return 0;
  }

  /** Under the lock: nothing that is found committed here can leave before the lock is free. */
  private int touchCommitted(long address, long end, Toucher toucher) {
    Reservation reservation = space.nodeOf(address).reservation;
    long base = reservation.baseAddress();
    long at = address;
    int error = 0;
    while (at < end && error == 0) {
      if (!reservation.isCommitted(at - base)) {
        long limit = space.alignToGranule(end) - base;
        at = base + reservation.nextCommitted(at - base, limit);
        continue;
      }
      long runEnd = base + reservation.nextUncommitted(at - base, space.alignToGranule(end) - base);
      long to = space.leaving.nextStart(at, Math.min(runEnd, end));
      if (to > at) {
        error = toucher.touch(at, to - at);
      }
      at = to == Math.min(runEnd, end) ? to : space.leaving.endOf(to);
    }
    return error;
  }

  // ---- what becomes of it ----

  @Override
  public void done(TouchPiece piece) {
    release(piece);
  }

  /** Free like the others; {@link #undo}, which follows, gives it back. */
  @Override
  public void failed(TouchPiece piece) {
    release(piece);
  }

  /** The claim that the calling thread has got as this piece, or null; by any thread. */
  private @Nullable Claim claimOf(TouchPiece piece) {
    space.lock.lock();
    try {
      Claim claim = claims;
      while (claim != null && !claim.is(piece)) {
        claim = claim.next;
      }
      return claim;
    } finally {
      space.lock.unlock();
    }
  }

  /** Makes a claim of the calling thread free; no effect if it is. */
  private void release(TouchPiece piece) {
    space.lock.lock();
    try {
      Claim before = null;
      Claim claim = claims;
      while (claim != null && !claim.is(piece)) {
        before = claim;
        claim = claim.next;
      }
      if (claim == null) {
        return;
      }
      space.lock.changing = true;
      if (before == null) {
        claims = claim.next;
      } else {
        before.next = claim.next;
      }
      makeFree(claim);
      space.lock.changing = false;
    } finally {
      space.lock.unlock();
    }
  }

  private void makeFree(Claim claim) {
    putBack(claim);
    space.pretouch.noteClaimed(-claim.sizeBytes);
  }

  private void putBack(Claim claim) {
    for (int i = 0; i < claim.chunks.count(); i++) {
      space.chunks.putBack(claim.chunks.get(i));
    }
  }

  /** Pieces in use are told so before anybody can take them; this is for those that failed. */
  @Override
  public boolean wantsSmallPagesLater() {
    return granuleBytes < HUGE_PAGE_BYTES;
  }

  @Override
  public void undo() {
    space.lock.lock();
    try {
      while (claims != null) {
        Claim claim = claims;
        space.lock.changing = true;
        claims = claim.next;
        makeFree(claim);
        space.lock.changing = false;
      }
    } finally {
      space.lock.unlock();
    }
    RuntimeException exception = null;
    Error error = null;
    for (int i = fresh.size() - 1; i >= 0; i--) {
      try {
        giveBack(fresh.get(i));
        var _ = fresh.remove(i);
      } catch (RuntimeException e) { // the others go back all the same
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
}
