package dev.arenal.page.granule;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.supply.Claim;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * Granules that are claimed for a discard: claimed and settled under the lock of the supply,
 * discarded without it.
 */
final class UncommitBatch {
  /** The kernel takes 1024 ranges in one call. */
  private static final int MOST_RANGES = 1024;

  private final GranuleStates states;
  private final Claim claim = new Claim();
  private int[] froms = new int[16];
  private int[] counts = new int[16];
  private int rangeCount;
  private int granuleCount;

  private UncommitBatch(GranuleStates states) {
    this.states = states;
  }

  /** Claims memory to be discarded, then up to that many cached granules from the highest down. */
  static UncommitBatch claim(GranuleStates states, int mostCachedGranules) {
    return claim(
        states,
        batch -> {
          batch.claimToDiscard();
          batch.claimCached(mostCachedGranules);
        });
  }

  /** Claims those that are cached, and takes what it has looked at out of the set. */
  static UncommitBatch claim(GranuleStates states, BitSet wanted) {
    return claim(states, batch -> batch.claimCached(wanted));
  }

  private static UncommitBatch claim(GranuleStates states, Consumer<UncommitBatch> what) {
    UncommitBatch batch = new UncommitBatch(states);
    boolean done = false;
    try {
      what.accept(batch);
      done = true;
    } finally {
      if (!done) { // the heap is full
        batch.settle();
      }
    }
    return batch;
  }

  private void claimToDiscard() {
    GranuleRanges toDiscard = states.toDiscard;
    while (toDiscard.totalGranules() > 0 && claim.count() < MOST_RANGES) {
      int from = toDiscard.highest(1);
      from += toDiscard.lengthAt(from) - 1;
      add(from, 1);
      toDiscard.remove(from, 1);
      claimed(1);
    }
  }

  private void claimCached(int mostGranules) {
    GranuleRanges cached = states.cache.ranges;
    int rest = mostGranules;
    while (rest > 0 && cached.totalGranules() > 0 && claim.count() < MOST_RANGES) {
      int start = cached.highest(1);
      int count = Math.min(rest, cached.lengthAt(start));
      int from = start + cached.lengthAt(start) - count;
      add(from, count);
      states.claimCached(from, count);
      claimed(count);
      rest -= count;
    }
  }

  private void claimCached(BitSet wanted) {
    int at = wanted.nextSetBit(0);
    while (at >= 0 && claim.count() < MOST_RANGES) {
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

  boolean isEmpty() {
    return granuleCount == 0;
  }

  long totalBytes() {
    return claim.totalBytes();
  }

  /** First, as it needs the heap; nothing has changed when that is full. */
  private void add(int from, int count) {
    if (rangeCount == froms.length) {
      froms = Arrays.copyOf(froms, 2 * rangeCount);
      counts = Arrays.copyOf(counts, 2 * rangeCount);
    }
    states.addresses.addCommitted(from, count, claim);
    froms[rangeCount] = from;
    counts[rangeCount] = count;
  }

  private void claimed(int count) {
    rangeCount++;
    granuleCount += count;
    states.claimedGranules += count;
  }

  /** Gives the memory back; without the lock. */
  void giveBack(OperatingSystem os, CommitMode mode) {
    var _ = claim.discard(os, mode);
  }

  /** Bytes that have gone back. */
  long goneBytes() {
    return claim.discardedBytes();
  }

  /** Whether all of it has. */
  boolean isGone() {
    return goneBytes() == totalBytes();
  }

  /** Records the memory that has gone; the rest is cached or to be discarded again. */
  void settle() {
    states.claimedGranules -= granuleCount;
    var _ = claim.settleDiscarded(states.addresses);
    for (int i = 0; i < rangeCount; i++) {
      if (states.addresses.committedBytes(froms[i], counts[i]) == 0) {
        states.putFree(froms[i], counts[i]);
      } else {
        states.putBackRefused(froms[i], counts[i]);
      }
    }
  }
}
