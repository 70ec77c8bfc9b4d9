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

  private final long arenasOpened;
  private final long allocations;
  private final long[] exact;
  private final long[] largerArenas;
  private final long[] largerBytes;
  private final long[] arenasByAllocations;
  private final long[] poolArenas;
  private final long[] poolAllocations;

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

  private HistogramData(
      long arenasOpened,
      long allocations,
      long[] exact,
      long[] largerArenas,
      long[] largerBytes,
      long[] arenasByAllocations,
      long[] poolArenas,
      long[] poolAllocations) {
    this.arenasOpened = arenasOpened;
    this.allocations = allocations;
    this.exact = exact;
    this.largerArenas = largerArenas;
    this.largerBytes = largerBytes;
    this.arenasByAllocations = arenasByAllocations;
    this.poolArenas = poolArenas;
    this.poolAllocations = poolAllocations;
  }

  static HistogramData ofCounters(long[] counters) {
    long[] exact = part(counters, Counters.EXACT, Counters.COUNT_EXACT);
    long[] largerArenas = part(counters, Counters.LARGER_ARENAS, Counters.COUNT_LOG2);
    long[] perArena = part(counters, Counters.PER_ARENA, Counters.COUNT_PER_ARENA);
    long[] single = part(counters, Counters.SINGLE, PoolSizes.COUNT + 1);
    perArena[0] = Sums.add(perArena[0], Sums.of(single));
    long[] several = part(counters, Counters.POOL_ALLOCATIONS, PoolSizes.COUNT + 1);
    long closed = Sums.add(Sums.of(exact), Sums.of(largerArenas));
    long[] poolArenas = new long[PoolSizes.COUNT];
    long[] poolAllocations = new long[PoolSizes.COUNT];
    long arenas = Math.max(0, closed - Sums.of(perArena));
    long allocations = 0;
    for (int i = 0; i < PoolSizes.COUNT; i++) {
      long arenasMore = Sums.add(single[i], counters[Counters.POOL_ARENAS + i]);
      arenas = Sums.add(arenas, arenasMore);
      // Arenas that are being closed meanwhile are counted in some figures and not yet in others.
      poolArenas[i] = Math.min(arenas, closed);
      allocations = Sums.add(allocations, Sums.add(single[i], several[i]));
      poolAllocations[i] = Sums.add(allocations, counters[Counters.POOL_LATER_ALLOCATIONS + i]);
    }
    return new HistogramData(
        Math.max(closed, counters[Counters.OPENED]),
        Sums.add(Sums.of(single), Sums.of(several)),
        exact,
        largerArenas,
        possibleBytes(largerArenas, part(counters, Counters.LARGER_BYTES, Counters.COUNT_LOG2)),
        perArena,
        poolArenas,
        poolAllocations);
  }

  /** The bytes of so many arenas, within the range possible for these sizes. */
  private static long[] possibleBytes(long[] arenas, long[] bytes) {
    for (int i = 0; i < arenas.length - 1; i++) {
      long from = 1L << (Counters.FIRST_LOG2 + i);
      bytes[i] =
          Math.clamp(
              bytes[i], Sums.multiply(arenas[i], from), Sums.multiply(arenas[i], 2 * from - 1));
    }
    return bytes;
  }

  private static long[] part(long[] counters, int from, int count) {
    long[] part = new long[count];
    System.arraycopy(counters, from, part, 0, count);
    return part;
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

  static HistogramData ofParts(long arenasOpened, long allocations, long[]... parts) {
    return new HistogramData(
        arenasOpened, allocations, parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
  }

  /** These and those arenas together. */
  public HistogramData merge(HistogramData other) {
    return new HistogramData(
        Sums.add(arenasOpened, other.arenasOpened),
        Sums.add(allocations, other.allocations),
        sum(exact, other.exact),
        sum(largerArenas, other.largerArenas),
        sum(largerBytes, other.largerBytes),
        sum(arenasByAllocations, other.arenasByAllocations),
        sum(poolArenas, other.poolArenas),
        sum(poolAllocations, other.poolAllocations));
  }

  private static long[] sum(long[] some, long[] others) {
    long[] sum = some.clone();
    Sums.addAll(sum, others);
    return sum;
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
      bytes = Sums.add(bytes, saturatedProduct(exact[i], i));
    }
    return bytes;
  }

  private static long saturatedProduct(long count, int bytes) {
    return Math.multiplyHigh(count, bytes) != 0 || count * bytes < 0
        ? Long.MAX_VALUE
        : count * bytes;
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
