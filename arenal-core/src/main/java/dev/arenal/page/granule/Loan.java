package dev.arenal.page.granule;

import dev.arenal.os.OperatingSystem;
import dev.arenal.reserve.Ledger;
import dev.arenal.supply.Claims;
import java.lang.ref.WeakReference;
import java.util.BitSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Free committed granules that a thread has claimed from the caches of other supplies of its
 * budget: it moves their memory to addresses of its own supply, and what has become of each is
 * settled with its lender.
 *
 * <p>Some microseconds for 2 MiB, where discarding and faulting in again takes 800 (ADR 0024). The
 * lock of no supply is held while that of a lender is taken.
 *
 * <p>Not thread-safe: it belongs to the thread that asked. After it is made nothing in it needs the
 * Java heap.
 */
final class Loan {
  private final SupplyState[] lenders;
  private final long[] addresses;
  private final BitSet dirty;
  private final BitSet moved;
  private int count;

  private Loan(int mostGranules) {
    this.lenders = new SupplyState[mostGranules];
    this.addresses = new long[mostGranules];
    this.dirty = PageAssembly.fullSize(mostGranules);
    this.moved = PageAssembly.fullSize(mostGranules);
  }

  /**
   * Claims free granules of others, has them used, and settles what has become of them, whatever
   * happens.
   *
   * @param use moves the memory of some or all of them
   * @return what that returns; null if there are none
   */
  @SuppressWarnings("ReferenceEquality") // of supplies
  static <R> @Nullable R take(
      SupplyState asking, int mostGranules, Function<Loan, @Nullable R> use) {
    Loan loan = null;
    try {
      for (WeakReference<LongSupplier> reference : Ledger.of(asking.budget).reclaimers()) {
        if (reference.get() instanceof SupplyState lender
            && lender != asking
            && lender.settings.sharesFree()) {
          loan = loan == null ? new Loan(mostGranules) : loan;
          loan.addFrom(lender, asking.os);
        }
      }
      return loan == null || loan.count == 0 ? null : use.apply(loan);
    } finally {
      // Here: a method for it could not be entered at the end of the stack, and lenders would wait.
      int from = 0;
      while (loan != null && from < loan.count) {
        SupplyState lender = loan.lenders[from];
        int to = from + 1;
        while (to < loan.count && loan.lenders[to] == lender) {
          to++;
        }
        try {
          loan.settle(lender, from, to);
        } catch (Throwable e) {
          lender.damage.cause = e;
          lender.isLeftBehind = true;
        }
        from = to;
      }
    }
  }

  /** Claims what the cache of a supply can do without, as far as there is room for it. */
  private void addFrom(SupplyState lender, OperatingSystem os) {
    lender.lock.lock();
    try {
      if (isWilling(lender, os)) {
        claim(lender, Math.min(lenders.length - count, lender.uncommitter.spareGranules()));
      }
    } catch (OutOfMemoryError e) {
      throw e; // of the Java heap: nothing is claimed
    } catch (Throwable e) {
      lender.damage.cause = e; // before anyone else has the lock
      lender.isLeftBehind = true;
      throw e;
    } finally {
      lender.lock.unlock();
    }
  }

  private static boolean isWilling(SupplyState lender, OperatingSystem os) {
    return !lender.isClosed
        && !lender.damage.isNoted()
        && os.kernel().equals(lender.os.kernel())
        && lender.granules.addresses.mayMove();
  }

  /**
   * From the end of the cache, as memory that goes back to the kernel: small pages are at its
   * beginning.
   */
  private void claim(SupplyState lender, int granuleCount) {
    if (granuleCount <= 0) {
      return;
    }
    GranuleStates granules = lender.granules;
    int end = count + granuleCount;
    for (int i = count; i < end; i++) {
      int start = granules.cache.highest(1);
      int granule = start + granules.cache.lengthAt(start) - 1;
      granules.claimCached(granule, 1);
      granules.claimedGranules++;
      granules.lentGranules++;
      lenders[i] = lender;
      addresses[i] = granules.addresses.address(granule);
      dirty.set(i, granules.addresses.isDirty(granule, 1));
    }
    lender.claims.begin(Claims.Use.LOAN);
    count = end; // from now on they are settled
    lender.cycle.noteFree(granules.cache.totalGranules() * PageSupply.GRANULE_BYTES);
  }

  /**
   * Notes what has become of granules of one lender: addresses without memory, or as they were.
   * Needs no Java heap.
   */
  private void settle(SupplyState lender, int from, int to) {
    GranuleStates granules = lender.granules;
    lender.lock.lock();
    try {
      if (lender.isReleased) {
        return; // damaged, and closed meanwhile
      }
      for (int i = from; i < to; i++) {
        int granule = granules.addresses.granule(addresses[i]);
        granules.claimedGranules--;
        granules.lentGranules--;
        if (moved.get(i)) {
          granules.addresses.noteGiven(granule);
          granules.putFree(granule, 1);
          var _ = lender.statistics.givenBytes.addAndGet(PageSupply.GRANULE_BYTES);
        } else {
          granules.putBackRefused(granule, 1);
        }
      }
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      lender.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      try {
        lender.claims.end(Claims.Use.LOAN);
      } finally {
        lender.lock.unlock(); // also where the stack is at its end
      }
    }
  }

  /** Number of granules. */
  int count() {
    return count;
  }

  /** The address of a granule at its lender, before it is moved. */
  long address(int index) {
    return addresses[index];
  }

  /** Its memory is at a granule of that supply now, which counts it. */
  void noteMoved(int index, PageAddresses to, int granule) {
    moved.set(index); // first: what is not noted here, the lender counts
    to.noteTaken(granule, dirty.get(index), lenders[index].granules.addresses.inFlightBytes());
  }
}
