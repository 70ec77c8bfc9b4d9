package dev.arenal.page.granule;

import dev.arenal.os.Errno;
import dev.arenal.supply.Claims;

/** Moves small pages that come back from high addresses to low ones. */
final class Defragmenter {
  private final SupplyState supply;

  Defragmenter(SupplyState supply) {
    this.supply = supply;
  }

  /**
   * Where a small page at high addresses should move to, so that the next small pages do not keep
   * large ones from the end of the address space; claimed then, under the lock. One with cached
   * neighbours joins them instead: moving it would tear the range apart.
   */
  int claimTarget(PageMemory page) {
    int first = page.firstGranule;
    if (page.kind != PageKind.SMALL
        || !supply.granules.addresses.mayMove()
        || supply.settings.uncommitDelay().isZero() // it will not be cached for long
        || first < supply.granules.addresses.granuleCount() / 2
        || supply.granules.addresses.committedBytes(first, page.granuleCount)
            != PageSupply.GRANULE_BYTES
        || supply.granules.cache.ranges.countIn(first - 1, 3) > 0) {
      return GranuleRanges.NONE;
    }
    int target = supply.granules.free.lowest(1);
    if (target == GranuleRanges.NONE || target >= first) {
      return GranuleRanges.NONE;
    }
    try {
      supply.granules.prepare(target, 1);
    } catch (OutOfMemoryError e) {
      return GranuleRanges.NONE; // of the Java heap: the page can stay where it is
    }
    supply.granules.claimFree(target, 1);
    supply.granules.claimedGranules++;
    supply.claims.begin(Claims.Use.ASSEMBLY);
    return target;
  }

  void move(PageMemory page, int target, int owner) {
    int error = -Errno.EFAULT;
    try {
      error =
          supply.os.move(
              page.address, PageSupply.GRANULE_BYTES, supply.granules.addresses.address(target));
    } finally {
      supply.lock.lock();
      try {
        supply.claims.end(Claims.Use.ASSEMBLY);
        supply.granules.claimedGranules--;
        supply.granules.usedGranules--;
        supply.granules.markDirty(page.firstGranule, 1);
        if (error == 0) {
          supply.granules.addresses.noteMoved(page.firstGranule, target);
          var _ = supply.statistics.defragments.incrementAndGet();
        } else {
          supply.lastErrno = error;
          if (PageAddresses.endsMoving(error)) {
            supply.granules.addresses.moveNoMore();
          }
        }
        if (error == -Errno.ENOTRECOVERABLE) {
          supply.granules.exclude(target);
        } else {
          supply.granules.putBack(target, 1, owner);
        }
        supply.granules.putBack(page.firstGranule, 1, owner);
      } finally {
        supply.lock.unlock();
      }
    }
  }
}
