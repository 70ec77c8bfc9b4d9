package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.guard.StackReserve;
import dev.arenal.memory.CommitMode;
import dev.arenal.supply.Claims;
import dev.arenal.supply.Floor;
import dev.arenal.supply.Housekeeper;
import dev.arenal.supply.UncommitCycle;

/**
 * Gives the memory of free chunks back to the kernel, down to the reserve.
 *
 * <p>Largest chunks first, many ranges a call, and the call outside the lock: claimed chunks are
 * neither free nor used, so that no thread takes them while their contents vanish. With a delay,
 * only what has been free all through one delay goes back: the least that was free in it, as in
 * ZGC's uncommit since JDK 25.
 */
final class Trimmer implements Housekeeper.Owner {
  /** Trimming stops a quarter below the reserve, so that it is not called for every small arena. */
  private static final int SLACK_FRACTION = 4;

  /** A release takes this part of the demand away. */
  private static final int FADE_FRACTION = 64;

  /** Demand counts up to this many reserves, so that a burst is forgotten as fast as a trickle. */
  private static final int DEMAND_RESERVES = 4;

  /** Trimming waits until this much exceeds the reserve: many ranges a call cost half as much. */
  private static final long LEAST_TRIM_BYTES = 64 * 1024;

  /**
   * Also, in a large space, until this part of what is committed exceeds it: where many owners end
   * together, their chunks join while they wait, and go back in fewer ranges and fewer calls.
   */
  private static final int TRIM_FRACTION = 256;

  /**
   * A chunk of which this part is committed goes back as one range, with the gaps in it: the kernel
   * passes over addresses without memory much faster than from one range to the next.
   */
  private static final int SPAN_FRACTION = 8;

  /** Ranges a call; the kernel takes 1024 at once. */
  private static final int MAX_RANGES = 1024;

  private final SpaceState space;

  /**
   * Committed bytes in chunks that are claimed, for a discard or a pretouch. Guarded by the lock.
   */
  long claimedChunksBytes;

  /**
   * Bytes that the kernel refused in the last trim: no reason for another one. Any recent value.
   */
  private volatile long stuckBytes;

  /**
   * Bytes that are claimed for a discard, in chunks and in arenas; they still count as committed.
   * Guarded by the lock, written by {@link SpaceDiscard}.
   */
  long claimedBytes;

  /** Bytes that arenas have taken lately; each release lets it fade. Guarded by the lock. */
  private long demandBytes;

  /** Guarded by the lock. */
  private final UncommitCycle cycle;

  private final Housekeeper.Entry entry = new Housekeeper.Entry(this);

  /** Whether a tick is to come. Set before it is scheduled; reset by the tick that is the last. */
  private volatile boolean isScheduled;

  final Floor floor = new Floor(0);

  Trimmer(SpaceState space) {
    this.space = space;
    this.cycle = new UncommitCycle(delayNanos(space.settings), Long.MAX_VALUE);
  }

  /**
   * Called when chunks have become free, under the lock; whether {@link #trimExcess} has something
   * to do.
   */
  boolean noteReleased() {
    demandBytes -= demandBytes / FADE_FRACTION;
    return !isScheduled && exceedsReserve(); // never scheduled without a delay
  }

  private boolean exceedsReserve() {
    long mostBytes = space.settings.reserveBytes(); // no more waits than may be kept
    long excessBytes = space.chunks.freeCommittedBytes() - keepBytes(reserveBytes()) - stuckBytes;
    return space.settings.reclaimPolicy() != ReclaimPolicy.NONE
        && excessBytes > Math.min(LEAST_TRIM_BYTES, mostBytes)
        && excessBytes > Math.min(space.nodes.committedBytes() / TRIM_FRACTION, mostBytes);
  }

  /**
   * Sees to it that a tick comes after the delay; without the lock. Nothing is thrown: the caller
   * has done what it was asked for.
   */
  private void schedule() {
    isScheduled = true;
    try {
      entry.schedule(delayNanos(space.settings));
    } catch (Throwable e) {
      // The heap is full, there is no thread more, or the stack ends: the next release tries again.
      isScheduled = false;
    }
  }

  private static long delayNanos(SpaceSettings settings) {
    return settings.uncommitDelay().toNanos();
  }

  @Override
  public boolean isOver() {
    return space.isClosedVolatile();
  }

  /** Gives back all that is free, the floor too; without the lock. */
  long discardAll() {
    return trim(0, false);
  }

  /** The same, but those that try again what was refused go first. */
  long discardAllAfterOthers() {
    space.lock.lock();
    try {
      space.claims.makeWay();
    } finally {
      space.lock.unlock();
    }
    return discardAll();
  }

  // ---- the floor ----

  /** How much may go back by itself before the floor is reached; under the lock. */
  long aboveFloorBytes() {
    long floorBytes = floor.sizeBytes();
    return floorBytes == 0
        ? Long.MAX_VALUE
        : Math.max(0, space.nodes.committedBytes() - claimedBytes - floorBytes);
  }

  /** Bytes to keep cached so that neither the reserve nor the floor suffers. */
  private long keepBytes(long reserveBytes) {
    return Math.max(reserveBytes, space.chunks.freeCommittedBytes() - aboveFloorBytes());
  }

  /**
   * Gives back what exceeds the reserve, and a little more, or arranges for it to go after the
   * delay; without the lock. The caller has a result already, so nothing is thrown.
   */
  void trimExcess() {
    try {
      if (StackReserve.isThere()) {
        trimOrSchedule();
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      // The Java heap is full, or no thread could be started: the next release trims, as it does
      // where the stack is at its end.
    }
  }

  private void trimOrSchedule() {
    boolean delayed = !space.settings.uncommitDelay().isZero();
    long reserveBytes;
    space.lock.lock();
    try {
      reserveBytes = reserveBytes();
      long freeBytes = space.chunks.freeCommittedBytes();
      if (space.settings.reclaimPolicy() == ReclaimPolicy.NONE
          || space.isClosedVolatile()
          || isScheduled // then there is a delay
          || freeBytes <= keepBytes(reserveBytes) + stuckBytes) {
        return;
      }
      if (delayed) { // from now on it counts what is free all the time
        cycle.watch(System.nanoTime(), freeBytes);
      }
    } finally {
      space.lock.unlock();
    }
    if (delayed) {
      schedule();
    } else {
      var _ = trim(reserveBytes - reserveBytes / SLACK_FRACTION, true);
    }
  }

  /** Notes that a pretouch has claimed chunks with that much committed; under the lock. */
  void beginPretouch(long sizeBytes) {
    claimedChunksBytes += sizeBytes;
    space.claims.begin(Claims.Use.PRETOUCH);
  }

  /** Notes that they are free again; under the lock. */
  void endPretouch(long sizeBytes) {
    claimedChunksBytes -= sizeBytes;
    space.claims.end(Claims.Use.PRETOUCH);
  }

  /**
   * Bytes to keep cached now: as much as arenas have taken lately, up to the reserve. After a
   * spike, when owners only go, next to nothing is kept; where they come and go, the full reserve.
   */
  private long reserveBytes() {
    return Math.min(demandBytes, space.settings.reserveBytes());
  }

  /** Called when an arena has taken chunks or committed more; under the lock. */
  void noteTaken(long sizeBytes) {
    demandBytes =
        Math.min(demandBytes + sizeBytes, DEMAND_RESERVES * space.settings.reserveBytes());
    cycle.noteFree(space.chunks.freeCommittedBytes());
  }

  /**
   * Gives back free committed memory down to {@code leastBytes}; where the kernel refuses some,
   * what comes next goes instead.
   *
   * @return bytes given back
   */
  private long trim(long leastBytes, boolean aboveFloor) {
    long doneBytes = 0;
    long refusedBytes = 0;
    Excess batch = new Excess(leastBytes, aboveFloor, Chunk.NONE);
    while (batch.discard()) {
      doneBytes += batch.goneBytes();
      refusedBytes += batch.refusedBytes();
      batch = new Excess(leastBytes, aboveFloor, batch.last);
    }
    stuckBytes = refusedBytes;
    return doneBytes;
  }

  /**
   * Gives back what is free and committed in a part of a node; what the kernel refuses stays.
   * Without the lock.
   */
  void discardFree(Node node, long offsetBytes, long endBytes) {
    long from = offsetBytes;
    while (from < endBytes) {
      FreeIn batch = new FreeIn(node, from, endBytes);
      var _ = batch.discard();
      from = batch.end;
    }
  }

  /** A delay has passed; another one begins where more than the reserve is free. */
  @Override
  public long tick() {
    long keepBytes;
    long dueBytes;
    space.lock.lock();
    try {
      long freeCommittedBytes = space.chunks.freeCommittedBytes();
      long spareBytes = Math.max(0, freeCommittedBytes - keepBytes(space.settings.reserveBytes()));
      dueBytes = cycle.dueBytes(System.nanoTime(), freeCommittedBytes, spareBytes);
      keepBytes = freeCommittedBytes - dueBytes;
    } finally {
      space.lock.unlock();
    }
    if (dueBytes > 0 && !space.damage.isNoted()) {
      var _ = trim(keepBytes, true);
    }
    space.lock.lock();
    try {
      cycle.noteFree(space.chunks.freeCommittedBytes());
      isScheduled =
          !space.damage.isNoted()
              && !space.isClosedVolatile()
              && space.chunks.freeCommittedBytes() > keepBytes(space.settings.reserveBytes());
      return isScheduled ? cycle.restNanos(System.nanoTime()) : Housekeeper.NEVER;
    } finally {
      space.lock.unlock();
    }
  }

  /** Free chunks that go back in one call. */
  private abstract class Batch extends SpaceDiscard {
    final ChunkList chunks = new ChunkList();
    private long committedBytes;

    Batch() {
      super(space, Claims.Use.DISCARD);
    }

    /** Whether anything is to go back; it may wait for others. */
    abstract boolean isWanted();

    /** Takes the chunks. */
    abstract void choose();

    @Override
    final boolean select() {
      if (!isWanted()) {
        return false;
      }
      space.lock.changing = true;
      try {
        choose();
        claimedChunksBytes += committedBytes;
      } catch (OutOfMemoryError e) { // the heap is full
        space.chunks.putBack(chunks, 0);
        space.lock.changing = false;
        throw e;
      }
      space.lock.changing = false;
      return chunks.count() > 0;
    }

    /** There is room for it. */
    final long add(long handle) {
      long sizeBytes = space.chunks.committedBytes(handle);
      chunks.add(handle);
      committedBytes += sizeBytes;
      return sizeBytes;
    }

    @Override
    final void noteGone(long goneBytes) {
      claimedChunksBytes -= committedBytes;
      space.counters.uncommits += goneBytes > 0 ? chunks.count() : 0;
      space.chunks.putBack(chunks, 0);
      cycle.noteFree(space.chunks.freeCommittedBytes()); // memory that has gone is idle no more
    }
  }

  /** Free memory that exceeds a number of bytes, of the largest chunks first. */
  private final class Excess extends Batch {
    private final long leastBytes;
    private final boolean aboveFloor;

    /** The chunk that was taken last, in the batch before at first: none is tried twice. */
    long last;

    private long excessBytes;

    Excess(long leastBytes, boolean aboveFloor, long last) {
      this.leastBytes = leastBytes;
      this.aboveFloor = aboveFloor;
      this.last = last;
    }

    @Override
    boolean isWanted() {
      if (space.isClosedVolatile() || (aboveFloor && space.claims.putsOff())) {
        return false;
      }
      space.damage.check();
      space.mergeReturned();
      long keepBytes = aboveFloor ? keepBytes(leastBytes) : leastBytes;
      excessBytes = space.chunks.freeCommittedBytes() - keepBytes;
      return excessBytes > 0;
    }

    @Override
    void choose() {
      long restBytes = excessBytes;
      while (restBytes > 0 && ranges.count() < MAX_RANGES) {
        chunks.prepare();
        long handle = space.chunks.takeLargestCommitted(last);
        if (handle == Chunk.NONE) {
          return;
        }
        restBytes -= addRanges(handle, add(handle), restBytes);
        last = handle;
      }
    }

    /** Of a chunk, up to that much; returns how much. */
    private long addRanges(long handle, long committedBytes, long mostBytes) {
      Node node = space.nodes.ofRoot(Chunk.root(handle));
      long offsetBytes = node.offsetBytes(handle);
      long end = offsetBytes + Chunk.bytes(handle);
      long keepBytes = Math.max(0, committedBytes - space.alignToGranule(mostBytes));
      if (keepBytes == 0
          && space.settings.commitMode() == CommitMode.DISCARD // else gaps are other mappings
          && committedBytes >= Chunk.bytes(handle) / SPAN_FRACTION) {
        ranges.addSpan(space.address(handle), Chunk.bytes(handle), committedBytes);
        return committedBytes;
      }
      long doneBytes = 0;
      long from = node.reservation.nextCommitted(offsetBytes, end);
      while (from < end) {
        long to = node.reservation.nextUncommitted(from, end);
        long stayBytes = Math.min(keepBytes, to - from);
        keepBytes -= stayBytes;
        if (to - from > stayBytes) {
          long address = node.reservation.baseAddress() + from + stayBytes;
          ranges.add(address, to - from - stayBytes);
          doneBytes += to - from - stayBytes;
        }
        from = node.reservation.nextCommitted(to, end);
      }
      return doneBytes;
    }
  }

  /** Free memory in a part of a node, a piece at a time: the lock is not held for long. */
  private final class FreeIn extends Batch {
    private final Node node;
    private final long endBytes;

    /** Up to here it was looked for. */
    long end;

    FreeIn(Node node, long offsetBytes, long endBytes) {
      this.node = node;
      this.end = offsetBytes;
      this.endBytes = endBytes;
    }

    @Override
    boolean isWanted() {
      space.claims.makeWay();
      space.damage.check();
      space.mergeReturned();
      return true;
    }

    @Override
    void choose() {
      for (int i = 0; i < MAX_RANGES && end < endBytes; i++) {
        long from = node.reservation.nextCommitted(end, endBytes);
        chunks.prepare();
        long handle = from == endBytes ? Chunk.NONE : space.chunks.takeWithin(node, from, endBytes);
        if (handle == Chunk.NONE) {
          end = Math.min(endBytes, from + space.settings.granuleBytes());
        } else {
          var _ = add(handle);
          ranges.addCommitted(node.reservation, from, Chunk.bytes(handle));
          end = from + Chunk.bytes(handle);
        }
      }
    }
  }
}
