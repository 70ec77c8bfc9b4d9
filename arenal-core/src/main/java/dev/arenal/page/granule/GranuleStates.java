package dev.arenal.page.granule;

/**
 * The state of each granule of a supply: free (an address without memory), cached, to be discarded
 * (its memory shall go back to the kernel), excluded, used, or claimed. Used and claimed granules
 * are in no set: they belong to a page, or to the one thread that moves, commits or gives back
 * their memory without the lock.
 *
 * <p>Guarded by the lock of the supply.
 */
final class GranuleStates {
  final PageAddresses addresses;
  final RangeCache cache;
  final GranuleRanges free;
  final GranuleRanges toDiscard;

  /** Free or cached: where a page can be put together. */
  final GranuleRanges available;

  /** In pages in use, and in pages that are being put together. */
  int usedGranules;

  /**
   * Claimed for a discard, a move or a loan. Those of a page that is put together count as used,
   * those of a pretouch as touched.
   */
  int claimedGranules;

  /** Claimed by a pretouch: they count against the capacity. */
  int pretouchGranules;

  /** Of {@link #pretouchGranules} those that are committed already. */
  int touchedCachedGranules;

  /** Of {@link #claimedGranules} those that another allocator of the budget has claimed. */
  int lentGranules;

  /** Granules that are not used again: their addresses may belong to another mapping. */
  int excludedGranules;

  final int capacityGranules;

  GranuleStates(PageAddresses addresses, int capacityGranules) {
    this.capacityGranules = capacityGranules;
    int count = addresses.granuleCount();
    this.addresses = addresses;
    this.cache = new RangeCache(count);
    this.free = new GranuleRanges(count);
    this.toDiscard = new GranuleRanges(count);
    this.available = new GranuleRanges(count);
    for (int i = 0; i < addresses.pieceCount(); i++) {
      int first = addresses.firstOfPiece(i);
      int last = first + addresses.countOfPiece(i) - 1;
      for (GranuleRanges set : new GranuleRanges[] {free, available}) {
        set.prepare(first, 1);
        set.prepare(last, 1);
        set.add(first, last - first + 1);
      }
    }
  }

  /** Reserves room for every possible change of a range, so that no step below runs out of heap. */
  void prepare(int from, int count) {
    addresses.prepare(from, count);
    cache.prepare(from, count);
    free.prepare(from, count);
    toDiscard.prepare(from, count);
    available.prepare(from, count);
  }

  /** For a range that has been prepared. */
  void claimFree(int from, int count) {
    free.remove(from, count);
    available.remove(from, count);
  }

  void claimCached(int from, int count) {
    cache.remove(from, count);
    available.remove(from, count);
  }

  void putFree(int from, int count) {
    free.add(from, count);
    available.add(from, count);
  }

  void putCached(int from, int count, int owner) {
    cache.add(from, count, owner);
    available.add(from, count);
  }

  /** The number of cached granules, including those that a pretouch has claimed. */
  long cachedGranules() {
    return (long) cache.totalGranules() + touchedCachedGranules;
  }

  /** Takes cached granules into the hands of a pretouch. */
  void claimTouched(int from, int count) {
    claimCached(from, count);
    pretouchGranules += count;
    touchedCachedGranules += count;
  }

  /** Undoes that. */
  void putTouched(int from, int count) {
    pretouchGranules -= count;
    touchedCachedGranules -= count;
    cache.add(from, count);
    available.add(from, count);
  }

  /** How many granules may still be committed. */
  int roomGranules() {
    return capacityGranules - usedGranules - pretouchGranules - cache.totalGranules();
  }

  /**
   * Puts back memory that the kernel refused to take. Pages may have been made in its place
   * meanwhile: memory beyond the capacity stays to be discarded, and is tried again.
   */
  void putBackRefused(int from, int count) {
    int cached = Math.min(count, roomGranules());
    if (cached > 0) {
      putBack(from, cached, RangeCache.NO_OWNER);
    }
    for (int at = from + cached; at < from + count; at++) { // a part of it may have gone
      if (addresses.committedBytes(at, 1) == 0) {
        putFree(at, 1);
      } else {
        toDiscard.add(at, 1);
      }
    }
  }

  /** Memory that had been claimed and is as committed as it is: goes where it belongs. */
  void putBack(int from, int count, int owner) {
    if (addresses.committedBytes(from, count) == count * PageSupply.GRANULE_BYTES) {
      putCached(from, count, owner); // nearly always
      return;
    }
    for (int at = from; at < from + count; ) {
      long committedBytes = addresses.committedBytes(at, 1);
      int end = at + 1;
      while (end < from + count && addresses.committedBytes(end, 1) == committedBytes) {
        end++;
      }
      if (committedBytes == PageSupply.GRANULE_BYTES) {
        putCached(at, end - at, owner);
      } else if (committedBytes == 0) {
        putFree(at, end - at);
      } else {
        toDiscard.add(at, end - at);
      }
      at = end;
    }
  }

  /**
   * Excludes a granule that had been claimed and has no memory, since another mapping may have its
   * addresses now.
   */
  void exclude(int granule) {
    addresses.exclude(granule);
    excludedGranules++;
  }

  /** Checks all that must hold while the lock is held; INV-SUPPLY-1 to 4 in docs/invariants.md. */
  void verify() {
    free.verify();
    toDiscard.verify();
    available.verify();
    cache.verify();
    int sumGranules =
        free.totalGranules()
            + toDiscard.totalGranules()
            + cache.totalGranules()
            + usedGranules
            + claimedGranules
            + pretouchGranules
            + excludedGranules;
    int granuleCount = 0;
    for (int i = 0; i < addresses.pieceCount(); i++) {
      granuleCount += addresses.countOfPiece(i);
      verifyPiece(addresses.firstOfPiece(i), addresses.countOfPiece(i));
    }
    check(roomGranules() >= 0, "used and cached exceed the capacity", -roomGranules());
    check(sumGranules == granuleCount, "granules are missing or counted twice", sumGranules);
    int availableGranules = free.totalGranules() + cache.totalGranules();
    check(
        available.totalGranules() == availableGranules,
        "available differs from free and cached",
        availableGranules);
    verifyRanges(free, 0);
    verifyRanges(cache, PageSupply.GRANULE_BYTES);
  }

  private void verifyPiece(int first, int count) {
    int end = first + count;
    for (GranuleRanges set : new GranuleRanges[] {free, toDiscard, cache, available}) {
      int last = set.lastFrom(end, 1);
      check(last < first || last + set.lengthAt(last) <= end, "range spans reservations", last);
    }
  }

  private void verifyRanges(GranuleRanges set, long committedBytesEach) {
    for (int from = set.lowest(1); from != GranuleRanges.NONE; ) {
      int count = set.lengthAt(from);
      check(available.countIn(from, count) == count, "free or cached, but not available", from);
      check(toDiscard.countIn(from, count) == 0, "free or cached, and to be discarded", from);
      long committedBytes = addresses.committedBytes(from, count);
      check(committedBytes == count * committedBytesEach, "committed bytes differ", from);
      from = set.firstFrom(from + count, 1);
    }
  }

  private static void check(boolean condition, String what, int at) {
    if (!condition) {
      throw new AssertionError("granules of pages: " + what + ": at=" + at);
    }
  }

  @Override
  public String toString() {
    return "freeGranules="
        + free.totalGranules()
        + ", cachedGranules="
        + cache.totalGranules()
        + ", toDiscardGranules="
        + toDiscard.totalGranules()
        + ", usedGranules="
        + usedGranules
        + ", claimedGranules="
        + claimedGranules
        + ", pretouchGranules="
        + pretouchGranules
        + ", excludedGranules="
        + excludedGranules;
  }
}
