package dev.arenal.page.granule;

import dev.arenal.supply.Claims;
import java.util.BitSet;

/** Gives cached memory back to the kernel: after a delay, at once, or when asked. */
final class Uncommitter {
  /** Nothing is to be discarded, and no cached granule is to go back at once. */
  static final int NONE_DUE = -1;

  /** Regular work ends where the kernel has refused so many ranges: it may refuse thousands. */
  private static final int MOST_REFUSED = 64;

  /** How far down all has been tried: granules from there on. */
  private record Place(int toDiscard, int cached) {}

  private static final Place TOP = new Place(Integer.MAX_VALUE, Integer.MAX_VALUE);

  private final SupplyState supply;

  /** Where regular work goes on; racy, since any place is right. */
  private volatile Place resume = TOP;

  Uncommitter(SupplyState supply) {
    this.supply = supply;
  }

  /**
   * Gives enough of the cache back for a number of bytes to be committed elsewhere, and waits for
   * memory that others are just giving back.
   *
   * @return bytes that went back, at least 1 if it has waited, so that others try again
   */
  long giveWay(long sizeBytes) {
    return giveWay(sizeBytes, Claims.MOST_WAIT_NANOS);
  }

  /** The same; waits for discards of other threads for that long at most. */
  long giveWay(long sizeBytes, long mostNanos) {
    boolean hasWaited = supply.claims.awaitDiscards(mostNanos);
    long bytes = uncommit((int) Math.ceilDiv(sizeBytes, PageSupply.GRANULE_BYTES), false);
    return hasWaited ? Math.max(bytes, 1) : bytes;
  }

  /**
   * Gives as much of the cache back as the budget lacks for so many bytes, where the cache has as
   * much, and waits for memory that others are just giving back. Under a limit that was lowered
   * below what is committed, the budget lacks more than these bytes: memory that can serve a
   * request must not go for one that is refused all the same.
   *
   * @param mostNanos that it waits for discards of other threads
   * @return whether another attempt is worth it
   */
  boolean giveWayFor(long wantedBytes, long mostNanos) {
    boolean hasWaited = supply.claims.awaitDiscards(mostNanos);
    long lackingBytes = supply.lackingBytes(wantedBytes);
    long freeGranules;
    supply.lock.lock();
    try {
      freeGranules =
          (long) supply.granules.cache.totalGranules() + supply.granules.toDiscard.totalGranules();
    } finally {
      supply.lock.unlock();
    }
    long granules = Math.ceilDiv(Math.max(0, lackingBytes), PageSupply.GRANULE_BYTES);
    boolean gives = granules > 0 && granules <= freeGranules && uncommit((int) granules, false) > 0;
    return hasWaited || gives;
  }

  /** Gives those granules back that are cached, and takes them out of the set. */
  void uncommitCached(BitSet rest) {
    UncommitBatch batch;
    do {
      batch =
          new UncommitBatch(supply) {
            @Override
            void select() {
              claimWanted(rest);
            }
          };
    } while (batch.discard());
  }

  /** See {@link PageSupply#tick}. */
  void tick(long nowNanos) {
    int due = NONE_DUE;
    supply.lock.lock();
    try {
      if (supply.isClosed) {
        return;
      }
      due = dueAtOnce();
      long idleBytes =
          supply.cycle.dueBytes(
              nowNanos,
              supply.granules.cache.totalGranules() * PageSupply.GRANULE_BYTES,
              spareGranules() * PageSupply.GRANULE_BYTES);
      if (idleBytes > 0) {
        due = Math.max(due, (int) (idleBytes / PageSupply.GRANULE_BYTES));
      }
    } finally {
      supply.lock.unlock();
    }
    uncommitDue(due);
  }

  /**
   * Cached granules to go back at once; 0 if only what is to be discarded does, {@link #NONE_DUE}
   * if nothing does. Under the lock.
   */
  int dueAtOnce() {
    int granules = supply.settings.uncommitDelay().isZero() ? spareGranules() : 0;
    return granules > 0 || supply.granules.toDiscard.totalGranules() > 0 ? granules : NONE_DUE;
  }

  void uncommitDue(int granules) {
    if (granules != NONE_DUE) {
      try {
        var _ = uncommit(granules, true);
      } catch (OutOfMemoryError e) {
        // The Java heap is full. Memory that is due stays cached: a free must not fail.
        Thread.onSpinWait();
      }
    }
  }

  /** Cached granules that may go before the floor is reached; under the lock. */
  int spareGranules() {
    GranuleStates granules = supply.granules;
    long spareBytes = granules.addresses.committedBytes() - supply.floor.sizeBytes();
    // Claimed ones still count as committed, and may go to the kernel or a borrower.
    return Math.clamp(
        spareBytes / PageSupply.GRANULE_BYTES - granules.claimedGranules,
        0,
        granules.cache.totalGranules());
  }

  /**
   * Gives back memory to be discarded, and up to a number of cached granules, from the highest
   * down; what the kernel refuses stays, and what lies below it goes.
   *
   * @param keepsFloor whether only those above the floor go. This is regular work, which goes on
   *     below the next time if the kernel refuses too much
   */
  long uncommit(int mostGranules, boolean keepsFloor) {
    Place begin = keepsFloor ? resume : TOP;
    resume = keepsFloor ? TOP : resume;
    int toDiscardEnd = begin.toDiscard;
    int cachedEnd = begin.cached;
    long mostBytes = mostGranules * PageSupply.GRANULE_BYTES;
    long doneBytes = 0;
    int refusedCount = 0;
    while (true) {
      int rest = (int) (Math.max(0, mostBytes - doneBytes) / PageSupply.GRANULE_BYTES);
      Pass batch = new Pass(toDiscardEnd, cachedEnd, rest, keepsFloor);
      if (!batch.discard()) {
        return doneBytes;
      }
      toDiscardEnd = batch.toDiscardEnd;
      cachedEnd = batch.cachedEnd;
      doneBytes += batch.goneBytes();
      refusedCount += batch.refusedCount();
      if (keepsFloor && refusedCount >= MOST_REFUSED) {
        resume = new Place(toDiscardEnd, cachedEnd);
        return doneBytes;
      }
    }
  }

  /** One batch on the way down. */
  private final class Pass extends UncommitBatch {
    private final int mostGranules;
    private final boolean keepsFloor;

    /** Where it begins, and then where the next one does; the same of what is cached. */
    int toDiscardEnd;

    int cachedEnd;

    Pass(int toDiscardEnd, int cachedEnd, int mostGranules, boolean keepsFloor) {
      super(supply);
      this.toDiscardEnd = toDiscardEnd;
      this.cachedEnd = cachedEnd;
      this.mostGranules = mostGranules;
      this.keepsFloor = keepsFloor;
    }

    @Override
    void select() {
      int most = keepsFloor ? Math.min(mostGranules, spareGranules()) : mostGranules;
      toDiscardEnd = claimToDiscard(toDiscardEnd);
      cachedEnd = claimCached(most, cachedEnd);
    }
  }
}
