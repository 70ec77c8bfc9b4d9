package dev.arenal.page.granule;

import dev.arenal.supply.Claims;
import dev.arenal.supply.Peers;
import dev.arenal.supply.Transfer;

/** Lets others of the budget have granules that the cache of a supply can do without. */
final class GranulePeer extends Peers.Peer {
  private final SupplyState supply;
  private final Uncommitter uncommitter;

  GranulePeer(SupplyState supply, Uncommitter uncommitter) {
    super(supply.damage);
    this.supply = supply;
    this.uncommitter = uncommitter;
  }

  /**
   * From the end of the cache, as memory that goes back to the kernel: small pages are at its
   * beginning.
   */
  @Override
  public void offer(Transfer transfer) {
    supply.lock.lock();
    try {
      if (!isWilling(transfer)) {
        return;
      }
      GranuleStates granules = supply.granules;
      int rest = Math.min(transfer.restGranules(), uncommitter.spareGranules());
      boolean hasAny = rest > 0;
      while (rest > 0) {
        int start = granules.cache.ranges.highest(1);
        int granule = start + granules.cache.ranges.lengthAt(start) - 1;
        granules.claimCached(granule, 1);
        granules.claimedGranules++;
        granules.lentGranules++;
        transfer.add(
            granules.addresses.address(granule),
            granules.addresses.isDirty(granule, 1),
            granules.addresses.inFlightBytes());
        rest--;
      }
      if (hasAny) {
        supply.claims.begin(Claims.Use.LOAN);
        supply.cycle.noteFree(granules.cache.totalGranules() * PageSupply.GRANULE_BYTES);
      }
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      supply.lock.unlock();
    }
  }

  private boolean isWilling(Transfer transfer) {
    return !supply.isClosed
        && !supply.damage.isNoted()
        && transfer.os().kernel().equals(supply.os.kernel())
        && transfer.granuleBytes() == PageSupply.GRANULE_BYTES
        && supply.granules.addresses.mayMove();
  }

  @Override
  public void settle(Transfer transfer, int from, int to) {
    GranuleStates granules = supply.granules;
    supply.lock.lock();
    try {
      if (supply.isReleased) {
        return; // damaged, and closed meanwhile
      }
      for (int i = from; i < to; i++) {
        int granule = granules.addresses.granule(transfer.address(i));
        granules.claimedGranules--;
        granules.lentGranules--;
        if (transfer.isMoved(i)) {
          granules.addresses.noteGiven(granule);
          granules.putFree(granule, 1);
          var _ = supply.statistics.givenBytes.addAndGet(PageSupply.GRANULE_BYTES);
        } else {
          granules.putBackRefused(granule, 1);
        }
      }
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      try {
        supply.claims.end(Claims.Use.LOAN);
      } finally {
        supply.lock.unlock(); // also where the stack is at its end
      }
    }
  }
}
