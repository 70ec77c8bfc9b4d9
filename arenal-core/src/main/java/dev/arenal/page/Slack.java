package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.reserve.Ledger;
import java.util.List;

/**
 * Keeps committed bytes within a share of the used bytes while an allocator grows: growth is paid
 * for.
 *
 * <p>Buffers of random sizes and lifetimes leave holes, and how much lies in holes of which pages
 * changes all the time; without a bound each kind of page keeps the memory of its own worst moment.
 * So a thread that commits memory while more than its share is free gives up to four times as much
 * back elsewhere: what is cached first, then holes of the heaps, of the one that has most first,
 * and in each the highest, which are the last to be used again. Where the allocator does not grow
 * nothing is given back before the uncommit delay, so that memory stays committed (ADR 0014 has the
 * figures).
 */
final class Slack implements Ledger.Holes {
  /** Below that it is not worth a call into the kernel, and a look at all heaps. */
  private static final long LEAST_BYTES = PageSupply.GRANULE_BYTES;

  /** That much is never too much: each of the heaps needs a page to begin with. */
  private static final long LEAST_FREE_BYTES = 8 << 20;

  /** Holes of fewer OS pages are used again soon, and each costs a range of its own. */
  private static final int LARGE_OS_PAGES = 16;

  /** They go as well where a quarter more than the share is free. */
  private static final int LEAST_OS_PAGES = 4;

  /** Free slots side by side go as a whole, and are no longer than a run. */
  private static final long MOST_STRETCH_BYTES = 64 << 10;

  private static final int PARTS_ABOVE_SHARE = 4;

  /** So many times what has grown, so that what is too much does not stay long. */
  private static final int TIMES_GROWN = 4;

  /** Growth by less of what is used can wait: to find what is free costs time in all pages. */
  private static final int PARTS = 1 << 10;

  /** More than all holes; half of all numbers, since it is added to. */
  private static final long UNKNOWN = Long.MAX_VALUE / 2;

  private final PageState state;
  private final PageSupply supply;
  private final List<LockedHeap> heaps;
  private final Racks racks;
  private final int percent;

  /** Written and read racily: which of two recent values is of no importance. */
  private long leastGrownBytes;

  /**
   * Bytes of the holes when they were last counted to the end, less those that had ever become
   * holes by then: to count again takes time, and the locks of heaps. One number, racy as well.
   */
  private long countLessBecameBytes = UNKNOWN;

  Slack(PageState state, List<LockedHeap> heaps, Racks racks, int percent) {
    this.state = state;
    this.supply = state.supply;
    this.heaps = heaps;
    this.racks = racks;
    this.percent = percent;
  }

  /** To be called without a lock by a thread that has just allocated. */
  void payIfGrown() {
    long grownBytes = supply.grownBytes();
    if (grownBytes >= LEAST_BYTES
        && grownBytes >= leastGrownBytes
        && StackReserve.isThere()) { // else the next thread pays
      try {
        pay(supply.takeGrownBytes());
      } catch (OutOfMemoryError e) {
        throw e; // of the Java heap: what was in hand has been returned
      } catch (Throwable e) {
        supply.damage.cause = e;
        throw e;
      }
    }
  }

  private void pay(long grownBytes) {
    long committedBytes = supply.figures().committedBytes();
    long usedBytes = usedBytesRacy();
    racks.adapt(usedBytes);
    leastGrownBytes = usedBytes / PARTS;
    // Half of all numbers at most, since it is added to.
    long shareBytes =
        Math.clamp((long) (usedBytes * (percent / 100.0)), LEAST_FREE_BYTES, Long.MAX_VALUE / 2);
    long freeBytes = committedBytes - Math.max(supply.floorBytes(), usedBytes + shareBytes);
    long mostBytes = TIMES_GROWN * grownBytes;
    long wantedBytes = Math.min(mostBytes, freeBytes);
    if (wantedBytes > 0) {
      long wentBytes = supply.uncommitCached(wantedBytes);
      wentBytes += discard(wantedBytes - wentBytes, LARGE_OS_PAGES);
      long beyondBytes = freeBytes - shareBytes / PARTS_ABOVE_SHARE;
      var _ = discard(Math.min(mostBytes, beyondBytes) - wentBytes, LEAST_OS_PAGES);
    }
  }

  /**
   * Has holes go back for a buffer: first for a hole that fits, if it may lie in one, then for a
   * page.
   *
   * @param attemptCount so many attempts have failed since the first call
   * @return whether another one is worth it
   */
  boolean giveWay(AgeHeaps own, long sizeBytes, int attemptCount) {
    return (attemptCount == 0 && own.mayUseHoles(sizeBytes) && giveWayInHole(sizeBytes))
        || giveWayFor(sizeBytes);
  }

  /**
   * Has holes go back for a page that the budget refuses: free memory must not be why a request
   * fails. They stay where the capacity has no room for the page, of which they remain a part.
   *
   * @param sizeBytes that the page must have
   * @return whether another attempt is worth it
   */
  boolean giveWayFor(long sizeBytes) {
    long pageBytes =
        Math.ceilDiv(Math.max(sizeBytes, 1), PageSupply.GRANULE_BYTES) * PageSupply.GRANULE_BYTES;
    SupplyFigures figures = supply.figures();
    return pageBytes <= figures.capacityBytes() - figures.usedBytes()
        && supply.giveWay(this, pageBytes - figures.cachedBytes());
  }

  /**
   * Has holes go back for a hole that fits, and has gone itself.
   *
   * @param sizeBytes of a buffer that may lie in one
   * @return whether another attempt is worth it
   */
  private boolean giveWayInHole(long sizeBytes) {
    boolean isThere = false;
    for (int i = 0; i < heaps.size() && !isThere; i++) {
      isThere =
          heaps.get(i) instanceof RangeHeap heap
              && heap.mayHave(heap.unitsOf(sizeBytes), SearchDepth.DISCARDED);
    }
    // It may begin in the middle of an OS page, and end in another one.
    return isThere && supply.giveWay(this, sizeBytes + 2 * state.context.osPageBytes());
  }

  /** At most what the last count has found, and what may have become holes since then. */
  @Override
  public long freeBytes() {
    SupplyFigures figures = supply.figures();
    long freeBytes = figures.committedBytes() - figures.cachedBytes() - usedBytesRacy();
    return Math.max(0, Math.min(freeBytes, countLessBecameBytes + becameHoleBytesRacy()));
  }

  /** Whole OS pages. */
  @Override
  public long countHoles(long mostBytes) {
    if (state.isClosed || state.isDamaged()) {
      return 0;
    }
    long becameBytes = becameHoleBytesRacy(); // first: more may become holes meanwhile
    long sizeBytes = 0;
    for (int i = 0; i < heaps.size() && sizeBytes < mostBytes; i++) {
      sizeBytes += heaps.get(i).countHoles(mostBytes - sizeBytes);
    }
    countLessBecameBytes = sizeBytes < mostBytes ? sizeBytes - becameBytes : UNKNOWN;
    return sizeBytes;
  }

  /** Large ones first. */
  @Override
  public long giveHoles(long mostBytes) {
    state.upkeep.lock(); // a close would find a page in hand, and take it for one in use
    try {
      long wentBytes = 0;
      for (int leastOsPages = LARGE_OS_PAGES;
          leastOsPages > 0 && !state.isClosed && !state.isDamaged();
          leastOsPages /= LARGE_OS_PAGES) {
        for (int i = 0; i < heaps.size() && wentBytes < mostBytes; i++) {
          long restBytes = mostBytes - wentBytes + MOST_STRETCH_BYTES; // less may fall short
          wentBytes += heaps.get(i).discardHoles(true, restBytes, leastOsPages);
        }
      }
      return wentBytes;
    } catch (OutOfMemoryError e) {
      throw e; // of the Java heap: what was in hand has been returned
    } catch (Throwable e) {
      supply.damage.cause = e;
      throw e;
    } finally {
      countLessBecameBytes = UNKNOWN;
      state.upkeep.unlock();
    }
  }

  private long becameHoleBytesRacy() {
    long sizeBytes = 0;
    for (int i = 0; i < heaps.size(); i++) {
      sizeBytes += heaps.get(i).becameHoleBytesRacy();
    }
    return sizeBytes;
  }

  private long usedBytesRacy() {
    return racks.usedBytesRacy() + LockedHeap.usedBytesRacy(heaps);
  }

  /** Holes of the heaps, by what they have free; returns the bytes that went. */
  private long discard(long wantedBytes, int leastOsPages) {
    if (wantedBytes <= 0) {
      return 0;
    }
    long[] freeBytes = new long[heaps.size()];
    for (int i = 0; i < freeBytes.length; i++) { // no stream: a first use would link it, far down
      freeBytes[i] = heaps.get(i).freeBytes();
    }
    long wentBytes = 0;
    int most = indexOfMost(freeBytes);
    while (wentBytes < wantedBytes && freeBytes[most] > 0) {
      long mostBytes = Math.min(wantedBytes - wentBytes, freeBytes[most]);
      wentBytes += heaps.get(most).discardHoles(true, mostBytes, leastOsPages);
      freeBytes[most] = 0; // what is left there is in smaller holes
      most = indexOfMost(freeBytes);
    }
    return wentBytes;
  }

  private static int indexOfMost(long[] values) {
    int most = 0;
    for (int i = 1; i < values.length; i++) {
      if (values[i] > values[most]) {
        most = i;
      }
    }
    return most;
  }
}
