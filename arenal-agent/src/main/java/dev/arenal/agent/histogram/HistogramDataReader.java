package dev.arenal.agent.histogram;

import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import java.util.List;

/** Takes figures that were written, and refuses those that cannot have been counted. */
final class HistogramDataReader {
  private final long arenasOpened;
  private final long allocations;
  private final long[] exact = new long[Counters.COUNT_EXACT];
  private final long[] largerArenas = new long[Counters.COUNT_LOG2];
  private final long[] largerBytes = new long[Counters.COUNT_LOG2];
  private final long[] perArena = new long[Counters.COUNT_PER_ARENA];
  private final long[] poolArenas = new long[PoolSizes.COUNT];
  private final long[] poolAllocations = new long[PoolSizes.COUNT];

  HistogramDataReader(long arenasOpened, long allocations) {
    this.arenasOpened = notNegative("arenasOpened", arenasOpened);
    this.allocations = notNegative("allocations", allocations);
  }

  HistogramDataReader exact(List<Long> figures) {
    if (figures.size() != exact.length) {
      throw wrong("count of exact sizes", figures.size(), "64");
    }
    for (int i = 0; i < exact.length; i++) {
      exact[i] = notNegative("arenas", figures.get(i));
    }
    return this;
  }

  HistogramDataReader larger(List<Bucket> buckets) {
    for (Bucket bucket : buckets) {
      long from = bucket.fromBytes();
      if (from < Counters.COUNT_EXACT
          || Long.bitCount(from) != 1
          || bucket.toBytes() != 2 * from - 1) {
        throw wrong("fromBytes", from, "64 or a larger power of two, up to twice as much");
      }
      int index = Long.numberOfTrailingZeros(from) - Counters.FIRST_LOG2;
      if (largerArenas[index] != 0) {
        throw wrong("fromBytes", from, "each range once");
      }
      largerArenas[index] = notNegative("arenas", bucket.arenas());
      largerBytes[index] = notNegative("bytes", bucket.bytes());
      double mean = (double) bucket.bytes() / Math.max(1, bucket.arenas());
      boolean isFull = bucket.arenas() == Long.MAX_VALUE || bucket.bytes() == Long.MAX_VALUE;
      if (!isFull && (bucket.arenas() == 0 ? mean != 0 : mean < from || mean >= 2.0 * from)) {
        throw wrong("bytes", bucket.bytes(), "what so many arenas of that size have");
      }
    }
    return this;
  }

  HistogramDataReader byAllocations(List<AllocationBucket> buckets) {
    for (AllocationBucket bucket : buckets) {
      if (Long.bitCount(bucket.from()) != 1 || bucket.from() < 0) {
        throw wrong("from", bucket.from(), "a power of two");
      }
      perArena[Long.numberOfTrailingZeros(bucket.from())] = notNegative("arenas", bucket.arenas());
    }
    return this;
  }

  HistogramDataReader pools(List<PoolShare> shares) {
    if (shares.size() != PoolSizes.COUNT) {
      throw wrong("count of pool sizes", shares.size(), String.valueOf(PoolSizes.COUNT));
    }
    for (int i = 0; i < PoolSizes.COUNT; i++) {
      PoolShare share = shares.get(i);
      if (share.sizeBytes() != PoolSizes.sizeBytes(i)) {
        throw wrong("sizeBytes", share.sizeBytes(), String.valueOf(PoolSizes.sizeBytes(i)));
      }
      poolArenas[i] = notNegative("arenas", share.arenas());
      poolAllocations[i] = notNegative("allocations", share.allocations());
      if (share.allocations() > allocations) {
        throw wrong("allocations", share.allocations(), "at most " + allocations);
      }
    }
    return this;
  }

  HistogramData data() {
    long closed = Sums.add(Sums.of(exact), Sums.of(largerArenas));
    if (closed > arenasOpened) {
      throw wrong("arenasOpened", arenasOpened, "at least as many as were closed: " + closed);
    }
    if (Sums.of(perArena) > closed) {
      throw wrong("arenas that allocate", Sums.of(perArena), "at most " + closed);
    }
    if (poolArenas[PoolSizes.COUNT - 1] > closed) {
      throw wrong("arenas", poolArenas[PoolSizes.COUNT - 1], "at most " + closed);
    }
    return HistogramData.ofParts(
        arenasOpened,
        allocations,
        exact,
        largerArenas,
        largerBytes,
        perArena,
        poolArenas,
        poolAllocations);
  }

  private static long notNegative(String name, long figure) {
    if (figure < 0) {
      throw wrong(name, figure, "0 or more");
    }
    return figure;
  }

  private static IllegalArgumentException wrong(String name, long figure, String expected) {
    return new IllegalArgumentException(
        "impossible figure: " + name + "=" + figure + " (expected " + expected + ")");
  }
}
