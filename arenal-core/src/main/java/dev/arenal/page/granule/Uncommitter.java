package dev.arenal.page.granule;

import dev.arenal.supply.Claims;
import java.util.BitSet;

/** Gives cached memory back to the kernel: after a delay, at once, or when asked. */
final class Uncommitter {
  /** Nothing is to be discarded, and no cached granule is to go back at once. */
  static final int NONE_DUE = -1;

  private final SupplyState supply;

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
    } while (batch.discard() && batch.isGone());
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
   * Gives back memory to be discarded, and up to a number of cached granules from the highest.
   *
   * @param keepsFloor whether only those above the floor go
   */
  long uncommit(int mostGranules, boolean keepsFloor) {
    long doneBytes = 0;
    long restBytes = mostGranules * PageSupply.GRANULE_BYTES;
    long refusedBytes = 0;
    while (true) {
      // The highest go first, so what was refused comes again: look beyond it.
      long mostBytes = Math.max(0, restBytes) + refusedBytes;
      int mostNow = (int) Math.min(Integer.MAX_VALUE, mostBytes / PageSupply.GRANULE_BYTES);
      UncommitBatch batch =
          new UncommitBatch(supply) {
            @Override
            void select() {
              int most = keepsFloor ? Math.min(mostNow, spareGranules()) : mostNow;
              claimToDiscard();
              claimCached(most);
            }
          };
      if (!batch.discard()) {
        return doneBytes;
      }
      doneBytes += batch.goneBytes();
      restBytes -= batch.goneBytes();
      long refusedBefore = refusedBytes;
      refusedBytes = batch.refusedBytes();
      boolean isStuck = batch.goneBytes() == 0 && refusedBytes <= refusedBefore;
      if (refusedBytes > 0 && (isStuck || restBytes <= 0)) {
        return doneBytes; // the kernel refuses: trying again at once would not help
      }
    }
  }
}
