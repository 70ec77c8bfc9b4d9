package dev.arenal.page.granule;

import dev.arenal.os.Errno;
import dev.arenal.supply.Change;
import dev.arenal.supply.Claims;
import org.jspecify.annotations.Nullable;

/** A small page that comes back from high addresses, and moves to low ones. */
final class Defragment extends Change {
  private final SupplyState supply;
  private final PageMemory page;
  private final int target;
  private final int owner;
  private int error = -Errno.EFAULT;

  private Defragment(SupplyState supply, PageMemory page, int target, int owner) {
    super(supply.claims, Claims.Use.ASSEMBLY);
    this.supply = supply;
    this.page = page;
    this.target = target;
    this.owner = owner;
  }

  /**
   * Claims the place that a small page at high addresses should move to, so that the next small
   * pages do not keep large ones from the end of the address space; under the lock. One with cached
   * neighbours joins them instead: moving it would tear the range apart.
   *
   * @return null where it stays
   */
  static @Nullable Change tryClaim(SupplyState supply, PageMemory page, int owner) {
    if (!isWorthIt(supply, page)) {
      return null;
    }
    int target = supply.granules.free.lowest(1);
    if (target == GranuleRanges.NONE || target >= page.firstGranule) {
      return null;
    }
    Change move;
    try {
      move = new Defragment(supply, page, target, owner);
      supply.granules.prepare(target, 1);
    } catch (OutOfMemoryError e) {
      return null; // of the Java heap: the page can stay where it is
    }
    var _ = move.claimNow();
    return move;
  }

  private static boolean isWorthIt(SupplyState supply, PageMemory page) {
    int first = page.firstGranule;
    return page.kind == PageKind.SMALL
        && supply.granules.addresses.mayMove()
        && !supply.settings.uncommitDelay().isZero() // it will be cached for a while
        && first >= supply.granules.addresses.granuleCount() / 2
        && supply.granules.addresses.committedBytes(first, page.granuleCount)
            == PageSupply.GRANULE_BYTES
        && supply.granules.cache.countIn(first - 1, 3) == 0;
  }

  @Override
  protected boolean claim() {
    supply.granules.claimFree(target, 1);
    supply.granules.claimedGranules++;
    return true;
  }

  @Override
  protected void call() {
    long address = supply.granules.addresses.address(target);
    error = supply.os.move(page.address, PageSupply.GRANULE_BYTES, address);
  }

  @Override
  protected void settle() {
    supply.granules.claimedGranules--;
    supply.granules.usedGranules--;
    supply.granules.addresses.markDirty(page.firstGranule, 1);
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
  }
}
