package dev.arenal.page;

import dev.arenal.stats.MemoryEvents;

/** Gives cached memory back to the kernel: after a delay, at once, or when asked. */
final class Uncommitter {
  /** Nothing is doomed, and no cached granule is to go back at once. */
  static final int NONE_DUE = -1;

  /** Batches to wait for: there may always be another one on its way. */
  private static final int MOST_WAITS = 8;

  private final SupplyState supply;

  Uncommitter(SupplyState supply) {
    this.supply = supply;
  }

  /**
   * Gives the whole cache back now, and waits for what others are just giving back.
   *
   * @return bytes that went back, at least 1 if it has waited
   */
  long trim() {
    boolean hasWaited = awaitArrival();
    long bytes = uncommit(Integer.MAX_VALUE);
    return hasWaited ? Math.max(bytes, 1) : bytes;
  }

  private boolean awaitArrival() {
    supply.lock.lock();
    try {
      int countWaits = 0;
      while (supply.countLeaving > 0 && countWaits < MOST_WAITS) {
        supply.arrived.awaitUninterruptibly();
        countWaits++;
      }
      return countWaits > 0;
    } finally {
      supply.lock.unlock();
    }
  }

  /**
   * Gives back what has been idle for long enough; to be called every second, or more often where
   * the delay is short.
   */
  void tick(long nowNanos) {
    int due = NONE_DUE;
    supply.lock.lock();
    try {
      if (supply.isClosed) {
        return;
      }
      due = dueAtOnce();
      int idle = supply.cycle.due(nowNanos, supply.granules.cache.totalGranules(), spareGranules());
      if (idle > 0) {
        due = Math.max(due, idle);
      }
    } finally {
      supply.lock.unlock();
    }
    uncommitDue(due);
  }

  /** Cached granules that shall go back without a delay, or that none need to; under the lock. */
  int dueAtOnce() {
    int granules = supply.settings.uncommitDelay().isZero() ? spareGranules() : 0;
    return granules > 0 || supply.granules.doomed.totalGranules() > 0 ? granules : NONE_DUE;
  }

  void uncommitDue(int granules) {
    if (granules != NONE_DUE) {
      try {
        var _ = uncommit(granules);
      } catch (OutOfMemoryError e) {
        // The Java heap is full. What is due stays cached; who has just freed a page must not fail.
        Thread.onSpinWait();
      }
    }
  }

  /** Cached granules that may go before the floor is reached; under the lock. */
  private int spareGranules() {
    long spareBytes = supply.granules.addresses.committedBytes() - supply.settings.floorBytes();
    return Math.clamp(
        spareBytes / PageSupply.GRANULE_BYTES, 0, supply.granules.cache.totalGranules());
  }

  /** Gives back what is doomed and so many cached granules, from the highest down. */
  long uncommit(int mostGranules) {
    long doneBytes = 0;
    long restBytes = mostGranules * PageSupply.GRANULE_BYTES;
    while (true) {
      LeavingBatch batch;
      MemoryEvents.Uncommit event = MemoryEvents.beginUncommit(); // before anything is claimed
      supply.lock.lock();
      try {
        if (supply.isClosed) {
          return doneBytes;
        }
        batch =
            LeavingBatch.claim(
                supply.granules, (int) Math.max(0, restBytes / PageSupply.GRANULE_BYTES));
        if (batch.isEmpty()) {
          return doneBytes;
        }
        supply.countLeaving++;
        supply.cycle.noteCached(supply.granules.cache.totalGranules());
      } finally {
        supply.lock.unlock();
      }
      long batchBytes = 0;
      try {
        batch.giveBack(supply.os, supply.mode);
      } finally {
        supply.lock.lock();
        try {
          supply.countLeaving--;
          batchBytes = batch.settle();
        } finally {
          supply.arrived.signalAll();
          supply.lock.unlock();
        }
        supply.statistics.uncommittedBytes.add(batchBytes);
        event.end(PageState.KIND, supply.settings.name(), batch.totalBytes(), batchBytes);
      }
      doneBytes += batchBytes;
      restBytes -= batchBytes;
      if (batchBytes < batch.totalBytes()) {
        return doneBytes; // the kernel refuses: trying again at once would not help
      }
    }
  }
}
