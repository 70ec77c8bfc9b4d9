package dev.arenal.page.granule;

import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import dev.arenal.supply.Discard;
import java.util.Arrays;
import java.util.BitSet;

/** Memory of a supply that is discarded: granules, or parts of pages in use. */
class UncommitBatch extends Discard {
  /** The kernel takes 1024 ranges in one call. */
  private static final int MOST_RANGES = 1024;

  private final SupplyState supply;
  final GranuleStates states;
  private int[] froms = new int[16];
  private int[] counts = new int[16];
  private int rangeCount;
  private int granuleCount;

  /** Of granules, which {@link #select} takes. */
  UncommitBatch(SupplyState supply) {
    this(supply, new Claim());
  }

  /** Of parts of pages, which a heap has withdrawn until they are settled. */
  UncommitBatch(SupplyState supply, Claim parts) {
    super(supply.discards, Claims.Use.DISCARD, parts);
    this.supply = supply;
    this.states = supply.granules;
  }

  /** Takes granules, under the lock; none by default. */
  void select() {}

  @Override
  protected final boolean claim() {
    // Once closed, its addresses may be others'; where there is damage, what is cached is in doubt.
    if (supply.isClosed || supply.damage.isNoted()) {
      return false;
    }
    try {
      select();
    } catch (Throwable e) { // the heap is full
      putBack();
      throw e;
    }
    if (granuleCount > 0) {
      supply.cycle.noteFree(states.cache.totalGranules() * PageSupply.GRANULE_BYTES);
    }
    return ranges.count() > 0;
  }

  @Override
  protected final void settled(long goneBytes) {
    var _ = supply.statistics.uncommittedBytes.addAndGet(goneBytes);
    putBack();
  }

  /** Memory that has gone is free; the rest is cached or to be discarded again. */
  private void putBack() {
    states.claimedGranules -= granuleCount;
    for (int i = 0; i < rangeCount; i++) {
      if (states.addresses.committedBytes(froms[i], counts[i]) == 0) {
        states.putFree(froms[i], counts[i]);
      } else {
        states.putBackRefused(froms[i], counts[i]);
      }
    }
  }

  /** Takes what is to be discarded, from the highest below a granule down; returns the lowest. */
  final int claimToDiscard(int below) {
    GranuleRanges toDiscard = states.toDiscard;
    int end = below;
    int start = toDiscard.lastFrom(end - 1, 1);
    while (start != GranuleRanges.NONE && ranges.count() < MOST_RANGES) {
      int from = Math.min(end, start + toDiscard.lengthAt(start)) - 1;
      add(from, 1);
      toDiscard.remove(from, 1);
      claimed(1);
      end = from;
      start = toDiscard.lastFrom(end - 1, 1);
    }
    return end;
  }

  /**
   * Takes up to that many cached granules, from the highest below a granule down; returns the
   * lowest.
   */
  final int claimCached(int mostGranules, int below) {
    GranuleRanges cached = states.cache;
    int rest = mostGranules;
    int end = below;
    int start = cached.lastFrom(end - 1, 1);
    while (rest > 0 && start != GranuleRanges.NONE && ranges.count() < MOST_RANGES) {
      end = Math.min(end, start + cached.lengthAt(start));
      int count = Math.min(rest, end - start);
      add(end - count, count);
      states.claimCached(end - count, count);
      claimed(count);
      rest -= count;
      end -= count;
      start = cached.lastFrom(end - 1, 1);
    }
    return end;
  }

  /** Takes those that are cached, and takes what it has looked at out of the set. */
  final void claimWanted(BitSet wanted) {
    int at = wanted.nextSetBit(0);
    while (at >= 0 && ranges.count() < MOST_RANGES) {
      int end = wanted.nextClearBit(at);
      int from = states.cache.firstCached(at);
      if (from == GranuleRanges.NONE) {
        wanted.clear();
        return;
      }
      if (from < end) {
        int count = Math.min(end - from, states.cache.cachedCount(from));
        add(from, count);
        states.claimCached(from, count);
        claimed(count);
        from += count;
      }
      wanted.clear(at, Math.min(from, end));
      at = wanted.nextSetBit(at);
    }
  }

  /** Ranges that the kernel has refused to take. */
  final int refusedCount() {
    int refusedCount = 0;
    for (int i = 0; i < ranges.count(); i++) {
      refusedCount += ranges.isGone(i) ? 0 : 1;
    }
    return refusedCount;
  }

  /** First, as it needs the heap; nothing has changed when that is full. */
  private void add(int from, int count) {
    if (rangeCount == froms.length) {
      froms = Arrays.copyOf(froms, 2 * rangeCount);
      counts = Arrays.copyOf(counts, 2 * rangeCount);
    }
    states.addresses.addCommitted(from, count, ranges);
    froms[rangeCount] = from;
    counts[rangeCount] = count;
  }

  private void claimed(int count) {
    rangeCount++;
    granuleCount += count;
    states.claimedGranules += count;
  }
}
