package dev.arenal.page.granule;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Change;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import dev.arenal.supply.Discard;
import dev.arenal.supply.Retry;

/** Parts of pages in use that go back to the kernel, and come again. */
final class PartialUncommit {
  /**
   * The number of rounds in which the cache gives way, so that a thread that takes what it gives
   * does not keep it going for ever.
   */
  private static final int MOST_ROUNDS = 8;

  private final SupplyState supply;

  PartialUncommit(SupplyState supply) {
    this.supply = supply;
  }

  /** See {@link PageSupply#discard}. */
  long discard(Claim ranges) {
    Holes holes = new Holes(ranges);
    return holes.discard() ? holes.goneBytes() : 0;
  }

  /** Parts of pages that a heap has withdrawn until they are settled. */
  private final class Holes extends Discard {
    Holes(Claim ranges) {
      super(supply.discards, Claims.Use.DISCARD, ranges);
    }

    /** Once closed, its addresses may be others'. */
    @Override
    protected boolean claim() {
      return ranges.count() > 0 && !supply.isClosed && !supply.damage.isNoted();
    }

    @Override
    protected void settled(long goneBytes) {
      var _ = supply.statistics.uncommittedBytes.addAndGet(goneBytes);
    }
  }

  /** See {@link PageSupply#recommit}. */
  boolean recommit(long address, long sizeBytes) {
    Recommit recommit = new Recommit(address, sizeBytes);
    boolean isAny;
    supply.lock.lock();
    try {
      isAny = recommit.claimNow();
    } finally {
      supply.lock.unlock();
    }
    if (!isAny) {
      return true;
    }
    if (!tryCommit(recommit.missing.totalBytes())) {
      return false; // nothing is claimed in any books until then
    }
    recommit.complete();
    return recommit.error == 0;
  }

  /**
   * Parts of a page that come again. No thread waits for them: they are what its own thread wants.
   */
  private final class Recommit extends Change {
    private final long address;
    private final long sizeBytes;
    final Claim missing = new Claim();
    long error = -Errno.EFAULT;

    Recommit(long address, long sizeBytes) {
      super(supply.claims, null);
      this.address = address;
      this.sizeBytes = sizeBytes;
    }

    @Override
    protected boolean claim() {
      Reservation reservation = supply.granules.addresses.reservationOf(address);
      missing.addUncommitted(reservation, address - reservation.baseAddress(), sizeBytes);
      return missing.count() > 0;
    }

    @Override
    protected void call() {
      error = supply.mode == CommitMode.PROTECT ? missing.allow(supply.os) : 0;
    }

    @Override
    protected void settle() {
      PageAddresses addresses = supply.granules.addresses;
      if (error < 0) {
        addresses.uncountRefused(missing.totalBytes());
        supply.lastErrno = error;
        return;
      }
      for (int i = 0; i < missing.count(); i++) {
        Reservation reservation = addresses.reservationOf(missing.address(i));
        long offsetBytes = missing.address(i) - reservation.baseAddress();
        addresses.noteCommitted(reservation, offsetBytes, missing.sizeBytes(i));
      }
      supply.grownBytes.addAndGet(missing.totalBytes());
    }
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
          && supply.uncommitter.giveWay(wantedBytes, restNanos()) > 0);
      return isCounted;
    }

    @Override
    protected boolean isWorthIt() {
      return supply.returningMayPayFor(wantedBytes);
    }
  }
}
