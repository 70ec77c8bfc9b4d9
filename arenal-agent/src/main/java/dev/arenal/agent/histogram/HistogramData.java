package dev.arenal.agent.histogram;

import java.util.ArrayList;
import java.util.List;

/**
 * The allocations of the closed arenas of one or more programs. Figures that would be too large for
 * a number stay at the largest there is.
 */
public final class HistogramData {
  private static final long LARGE_BYTES = 64 << 10;
  private static final long VERY_LARGE_BYTES = 512 << 10;

  final long arenasOpened;
  final long allocations;
  final long[] exact = new long[Counters.COUNT_EXACT];
  final long[] largerArenas = new long[Counters.COUNT_LOG2];
  final long[] largerBytes = new long[Counters.COUNT_LOG2];
  final long[] arenasByAllocations = new long[Counters.COUNT_PER_ARENA];
  final long[] poolArenas = new long[PoolSizes.COUNT];
  final long[] poolAllocations = new long[PoolSizes.COUNT];

  /**
   * Closed arenas whose size is in a range.
   *
   * @param fromBytes the smallest size in it
   * @param toBytes the largest
   * @param arenas how many there are
   * @param bytes the sum of their allocations
   */
  public record Bucket(long fromBytes, long toBytes, long arenas, long bytes) {}

  /** A line of the table: arenas of some size, and the sum of their allocations. */
  public record Row(String label, long arenas, long bytes) {}

  /** Closed arenas that made so many allocations. */
  public record AllocationBucket(long from, long to, long arenas) {}

  /**
   * The simulated result of a pool of some size.
   *
   * @param sizeBytes its size
   * @param arenas closed arenas of which it would have served every allocation; those that
   *     allocated nothing are among them
   * @param allocations allocations of closed arenas that it would have served
   */
  public record PoolShare(int sizeBytes, long arenas, long allocations) {}

  /** Without the figures that are lists: the caller fills them in. */
  HistogramData(long arenasOpened, long allocations) {
    this.arenasOpened = arenasOpened;
    this.allocations = allocations;
  }

  static HistogramData ofCounters(long[] counters) {
    long closed = Sums.of(counters, Counters.EXACT, Counters.COUNT_EXACT + Counters.COUNT_LOG2);
    long single = Sums.of(counters, Counters.SINGLE, PoolSizes.COUNT + 1);
    long several = Sums.of(counters, Counters.POOL_ALLOCATIONS, PoolSizes.COUNT + 1);
    HistogramData data =
        new HistogramData(Math.max(closed, counters[Counters.OPENED]), Sums.add(single, several));
    take(counters, Counters.EXACT, data.exact);
    take(counters, Counters.LARGER_ARENAS, data.largerArenas);
    take(counters, Counters.LARGER_BYTES, data.largerBytes);
    take(counters, Counters.PER_ARENA, data.arenasByAllocations);
    data.arenasByAllocations[0] = Sums.add(data.arenasByAllocations[0], single);
    data.makeBytesPossible();
    long arenas = Math.max(0, data.arenasWithoutAllocations());
    long allocations = 0;
    for (int i = 0; i < PoolSizes.COUNT; i++) {
      long one = counters[Counters.SINGLE + i];
      arenas = Sums.add(arenas, Sums.add(one, counters[Counters.POOL_ARENAS + i]));
      // Arenas that are being closed meanwhile are counted in some figures and not yet in others.
      data.poolArenas[i] = Math.min(arenas, closed);
      allocations = Sums.add(allocations, Sums.add(one, counters[Counters.POOL_ALLOCATIONS + i]));
      data.poolAllocations[i] =
          Sums.add(allocations, counters[Counters.POOL_LATER_ALLOCATIONS + i]);
    }
    return data;
  }

  private static void take(long[] counters, int from, long[] figures) {
    System.arraycopy(counters, from, figures, 0, figures.length);
  }

  /** The bytes of so many arenas, within the range possible for these sizes. */
  private void makeBytesPossible() {
    for (int i = 0; i < largerArenas.length - 1; i++) {
      long from = 1L << (Counters.FIRST_LOG2 + i);
      largerBytes[i] =
          Math.clamp(
              largerBytes[i],
              Sums.multiply(largerArenas[i], from),
              Sums.multiply(largerArenas[i], 2 * from - 1));
    }
  }

  /**
   * Data that was written before.
   *
   * @param arenasOpened how many arenas were opened
   * @param allocations how many allocations were made
   * @param exact closed arenas of 0 to 63 bytes, one by one
   * @param larger the others, by powers of two
   * @param byAllocations closed arenas by how many allocations they made
   * @param pools the simulated pools, from the smallest on
   * @throws IllegalArgumentException if the figures do not belong together
   */
  public static HistogramData of(
      long arenasOpened,
      long allocations,
      List<Long> exact,
      List<Bucket> larger,
      List<AllocationBucket> byAllocations,
      List<PoolShare> pools) {
    return new HistogramDataReader(arenasOpened, allocations)
        .exact(exact)
        .larger(larger)
        .byAllocations(byAllocations)
        .pools(pools)
        .data();
  }

  /** These and those arenas together. */
  public HistogramData merge(HistogramData other) {
    HistogramData sum =
        new HistogramData(
            Sums.add(arenasOpened, other.arenasOpened), Sums.add(allocations, other.allocations));
    sum.addLists(this);
    sum.addLists(other);
    return sum;
  }

  private void addLists(HistogramData some) {
    Sums.addAll(exact, some.exact);
    Sums.addAll(largerArenas, some.largerArenas);
    Sums.addAll(largerBytes, some.largerBytes);
    Sums.addAll(arenasByAllocations, some.arenasByAllocations);
    Sums.addAll(poolArenas, some.poolArenas);
    Sums.addAll(poolAllocations, some.poolAllocations);
  }

  /** Arenas opened at the sites that were counted. */
  public long arenasOpened() {
    return arenasOpened;
  }

  /** Arenas closed. */
  public long arenasClosed() {
    return Sums.add(Sums.of(exact), Sums.of(largerArenas));
  }

  /** Arenas that were opened and not closed. */
  public long arenasNotClosed() {
    return arenasOpened - arenasClosed();
  }

  /** The sum of all allocations of closed arenas. */
  public long bytes() {
    return Sums.add(exactBytes(0, Counters.COUNT_EXACT), Sums.of(largerBytes));
  }

  /** The average allocation of a closed arena; 0 if there was none. */
  public double averageBytes() {
    long closed = arenasClosed();
    return closed == 0 ? 0 : (double) bytes() / closed;
  }

  /** Allocations of closed arenas. */
  public long allocations() {
    return allocations;
  }

  /** Closed arenas that made no allocation, not even one of no bytes. */
  public long arenasWithoutAllocations() {
    return arenasClosed() - Sums.of(arenasByAllocations);
  }

  /** Closed arenas of so many bytes, for 0 to 63. */
  public long arenasOfExactly(int bytes) {
    return exact[bytes];
  }

  /** The lines of the table that the idea of pooling confined arenas was argued with. */
  public List<Row> table() {
    long all = arenasClosed();
    long largeArenas = atLeast(largerArenas, LARGE_BYTES);
    long largeBytes = atLeast(largerBytes, LARGE_BYTES);
    return List.of(
        new Row("empty", exact[0], 0),
        exactRow("<= 15 B", 15),
        exactRow("<= 31 B", 31),
        exactRow("<= 63 B", 63),
        new Row("< 64 KiB", all - largeArenas, bytes() - largeBytes),
        new Row(">= 64 KiB", largeArenas, largeBytes),
        new Row(
            ">= 512 KiB",
            atLeast(largerArenas, VERY_LARGE_BYTES),
            atLeast(largerBytes, VERY_LARGE_BYTES)));
  }

  private Row exactRow(String label, int maxBytes) {
    return new Row(label, exactArenas(0, maxBytes + 1), exactBytes(0, maxBytes + 1));
  }

  private long exactArenas(int from, int to) {
    long arenas = 0;
    for (int i = from; i < to; i++) {
      arenas = Sums.add(arenas, exact[i]);
    }
    return arenas;
  }

  private long exactBytes(int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      bytes = Sums.add(bytes, Sums.multiply(exact[i], i));
    }
    return bytes;
  }

  private static long atLeast(long[] larger, long bytes) {
    long sum = 0;
    for (int i = Long.numberOfTrailingZeros(bytes); i < Long.SIZE; i++) {
      sum = Sums.add(sum, larger[i - Counters.FIRST_LOG2]);
    }
    return sum;
  }

  /** Closed arenas by powers of two: 0, 1, 2 to 3, 4 to 7, up to the last that has any. */
  public List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>();
    buckets.add(new Bucket(0, 0, exact[0], 0));
    for (int log2 = 0; log2 < Long.SIZE - 1; log2++) {
      long from = 1L << log2;
      long to = 2 * from - 1;
      if (log2 < Counters.FIRST_LOG2) {
        int end = (int) to + 1;
        buckets.add(
            new Bucket(from, to, exactArenas((int) from, end), exactBytes((int) from, end)));
      } else {
        int index = log2 - Counters.FIRST_LOG2;
        buckets.add(new Bucket(from, to, largerArenas[index], largerBytes[index]));
      }
    }
    while (buckets.getLast().arenas() == 0 && buckets.size() > 1) {
      var _ = buckets.removeLast();
    }
    return buckets;
  }

  /** Closed arenas by how many allocations they made, up to the last range that has any. */
  public List<AllocationBucket> arenasByAllocations() {
    List<AllocationBucket> buckets = new ArrayList<>();
    buckets.add(new AllocationBucket(0, 0, arenasWithoutAllocations()));
    for (int log2 = 0; log2 < Long.SIZE - 1; log2++) {
      long from = 1L << log2;
      buckets.add(new AllocationBucket(from, 2 * from - 1, arenasByAllocations[log2]));
    }
    while (buckets.getLast().arenas() == 0 && buckets.size() > 1) {
      var _ = buckets.removeLast();
    }
    return buckets;
  }

  /** The simulated pools of all sizes, from the smallest on. */
  public List<PoolShare> pools() {
    List<PoolShare> pools = new ArrayList<>();
    for (int i = 0; i < PoolSizes.COUNT; i++) {
      pools.add(new PoolShare(PoolSizes.sizeBytes(i), poolArenas[i], poolAllocations[i]));
    }
    return pools;
  }
}
