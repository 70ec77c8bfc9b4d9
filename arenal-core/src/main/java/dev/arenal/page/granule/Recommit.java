package dev.arenal.page.granule;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Change;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Retry;

/**
 * Parts of a page in use that had gone back to the kernel, and come again. No thread waits for
 * them: they are what its own thread wants.
 */
final class Recommit extends Change {
  /**
   * The number of rounds in which the cache gives way, so that a thread that takes what it gives
   * does not keep it going for ever.
   */
  private static final int MOST_ROUNDS = 8;

  private final SupplyState supply;
  private final long address;
  private final long sizeBytes;
  private final Claim missing = new Claim();
  private long error = -Errno.EFAULT;

  Recommit(SupplyState supply, long address, long sizeBytes) {
    super(supply.claims, null);
    this.supply = supply;
    this.address = address;
    this.sizeBytes = sizeBytes;
  }

  /** See {@link PageSupply#recommit}. */
  boolean run() {
    boolean isAny;
    supply.lock.lock();
    try {
      isAny = claimNow();
    } finally {
      supply.lock.unlock();
    }
    if (!isAny) {
      return true;
    }
    if (!tryCount()) {
      return false; // nothing is claimed in any books until then
    }
    complete();
    return error == 0;
  }

  private boolean tryCount() {
    long returnedBefore = supply.claims.returnedCountRacy();
    if (supply.granules.addresses.tryCount(missing.totalBytes())) {
      return true;
    }
    Refused refused = new Refused(returnedBefore);
    if (!refused.attempt()) {
      refused.run();
    }
    return refused.isCounted;
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

  /**
   * The budget has refused. The cache gives way, but no reclaimer is asked: the caller holds the
   * lock of a heap. Memory that a pretouch has claimed may give way, too.
   */
  private final class Refused extends Retry {
    private int roundCount;
    private boolean isCounted;

    Refused(long returnedBefore) {
      super(supply.claims, false, returnedBefore);
    }

    @Override
    protected boolean attempt() {
      // Another one of the budget may have been faster: then the cache gives way once more.
      do {
        isCounted = supply.granules.addresses.tryCount(missing.totalBytes());
      } while (!isCounted
          && roundCount++ < MOST_ROUNDS
          && supply.uncommitter.giveWayFor(missing.totalBytes(), restNanos()));
      return isCounted;
    }

    @Override
    protected boolean isWorthIt() {
      return supply.returningMayMakeUpFor(missing.totalBytes());
    }
  }
}
