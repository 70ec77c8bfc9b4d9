package dev.arenal.page.granule;

import dev.arenal.events.MemoryEvents;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Change;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import dev.arenal.supply.Retry;

/** Parts of pages in use that go back to the kernel, and come again. */
final class PartialUncommit {
  /**
   * The number of rounds in which the cache gives way, so that a thread that takes what it gives
   * does not keep it going for ever.
   */
  private static final int MOST_ROUNDS = 8;

  private final SupplyState supply;
  private final Uncommitter uncommitter;

  PartialUncommit(SupplyState supply, Uncommitter uncommitter) {
    this.supply = supply;
    this.uncommitter = uncommitter;
  }

  /** See {@link PageSupply#discard}. */
  long discard(Claim ranges) {
    if (ranges.count() == 0) {
      return 0;
    }
    MemoryEvents.Uncommit event = MemoryEvents.beginUncommit();
    var _ = new Holes(ranges).perform();
    event.end(
        PageSupply.KIND, supply.settings.name(), ranges.totalBytes(), ranges.discardedBytes());
    var _ = supply.statistics.uncommittedBytes.addAndGet(ranges.discardedBytes());
    return ranges.discardedBytes();
  }

  /** Parts of pages that a heap has withdrawn until they are settled. */
  private final class Holes extends Change {
    private final Claim ranges;

    Holes(Claim ranges) {
      super(supply.claims, Claims.Use.DISCARD);
      this.ranges = ranges;
    }

    /** Once closed, its addresses may be others'. */
    @Override
    protected boolean claim() {
      return !supply.isClosed;
    }

    @Override
    protected void call() {
      var _ = ranges.discard(supply.os, supply.mode);
    }

    @Override
    protected void settle() {
      var _ = ranges.settleDiscarded(supply.granules.addresses);
    }
  }

  /** See {@link PageSupply#recommit}. */
  boolean recommit(long address, long sizeBytes) {
    Claim missing = new Claim();
    Reservation reservation;
    supply.lock.lock();
    try {
      reservation = supply.granules.addresses.reservationOf(address);
      missing.addUncommitted(reservation, address - reservation.baseAddress(), sizeBytes);
    } finally {
      supply.lock.unlock();
    }
    if (missing.totalBytes() == 0) {
      return true;
    }
    long wantedBytes = missing.totalBytes();
    if (!tryCommit(wantedBytes)) {
      return false;
    }
    long error = -Errno.EFAULT;
    try {
      error = supply.mode == CommitMode.PROTECT ? missing.allow(supply.os) : 0;
    } finally {
      if (error < 0) {
        supply.granules.addresses.uncountRefused(missing.totalBytes());
      }
      supply.lock.lock();
      try {
        if (error < 0) {
          supply.lastErrno = error;
        } else {
          for (int i = 0; i < missing.count(); i++) {
            long offsetBytes = missing.address(i) - reservation.baseAddress();
            supply.granules.addresses.noteCommitted(reservation, offsetBytes, missing.sizeBytes(i));
          }
        }
      } finally {
        supply.lock.unlock();
      }
    }
    if (error == 0) {
      supply.grownBytes.addAndGet(missing.totalBytes());
    }
    return error == 0;
  }

  private boolean tryCommit(long wantedBytes) {
    long returnedBefore = supply.claims.returnedCountRacy();
    if (supply.granules.addresses.tryCount(wantedBytes)) {
      return true;
    }
    Refused refused = new Refused(wantedBytes, returnedBefore);
    if (!refused.attempt()) {
      refused.run();
    }
    return refused.isCounted;
  }

  /**
   * Memory that the budget has refused. The cache gives way, but no reclaimer is asked: the caller
   * holds the lock of a heap. Memory that a pretouch has claimed may give way, too.
   */
  private final class Refused extends Retry {
    private final long wantedBytes;
    private int roundCount;
    private boolean isCounted;

    Refused(long wantedBytes, long returnedBefore) {
      super(supply.claims, false, returnedBefore);
      this.wantedBytes = wantedBytes;
    }

    @Override
    protected boolean attempt() {
      // Another one of the budget may have been faster: then the cache gives way once more.
      do {
        isCounted = supply.granules.addresses.tryCount(wantedBytes);
      } while (!isCounted
          && roundCount++ < MOST_ROUNDS
          && uncommitter.giveWay(wantedBytes, restNanos()) > 0);
      return isCounted;
    }

    @Override
    protected boolean isWorthIt() {
      return supply.returningMayPayFor(wantedBytes);
    }
  }
}
