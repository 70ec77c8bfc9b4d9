package dev.arenal.agent.histogram;

import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import java.util.List;

/** Takes figures that were written, and refuses those that cannot have been counted. */
final class HistogramDataReader {
  private final HistogramData data;

  HistogramDataReader(long arenasOpened, long allocations) {
    this.data =
        new HistogramData(
            notNegative("arenasOpened", arenasOpened), notNegative("allocations", allocations));
  }

  HistogramDataReader exact(List<Long> figures) {
    if (figures.size() != data.exact.length) {
      throw wrong("count of exact sizes", figures.size(), "64");
    }
    for (int i = 0; i < data.exact.length; i++) {
      data.exact[i] = notNegative("arenas", figures.get(i));
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
      if (data.largerArenas[index] != 0) {
        throw wrong("fromBytes", from, "each range once");
      }
      data.largerArenas[index] = notNegative("arenas", bucket.arenas());
      data.largerBytes[index] = notNegative("bytes", bucket.bytes());
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
      data.arenasByAllocations[Long.numberOfTrailingZeros(bucket.from())] =
          notNegative("arenas", bucket.arenas());
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
      data.poolArenas[i] = notNegative("arenas", share.arenas());
      data.poolAllocations[i] = notNegative("allocations", share.allocations());
      if (share.allocations() > data.allocations) {
        throw wrong("allocations", share.allocations(), "at most " + data.allocations);
      }
    }
    return this;
  }

  HistogramData data() {
    long closed = data.arenasClosed();
    if (closed > data.arenasOpened) {
      throw wrong("arenasOpened", data.arenasOpened, "at least as many as were closed: " + closed);
    }
    long allocating = Sums.of(data.arenasByAllocations);
    if (allocating > closed) {
      throw wrong("arenas that allocate", allocating, "at most " + closed);
    }
    long pooled = data.poolArenas[PoolSizes.COUNT - 1];
    if (pooled > closed) {
      throw wrong("arenas", pooled, "at most " + closed);
    }
    return data;
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
