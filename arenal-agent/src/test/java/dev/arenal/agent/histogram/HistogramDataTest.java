package dev.arenal.agent.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class HistogramDataTest {
  /** An arena that takes any size, so that large ones cost nothing. */
  private record Nothing() implements Arena {
    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return MemorySegment.NULL;
    }

    @Override
    public MemorySegment.Scope scope() {
      return Arena.global().scope();
    }

    @Override
    public void close() {}
  }

  @Test
  void pools_serveWhatPoolsOfEachSizeWouldServe() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    long[] arenas = new long[PoolSizes.COUNT];
    long[] allocations = new long[PoolSizes.COUNT];
    HistogramData before = ArenaCounts.snapshot();
    for (int i = 0; i < 5_000; i++) {
      List<Long> sizes = new ArrayList<>();
      for (int k = random.nextInt(6); k > 0; k--) {
        sizes.add((long) random.nextInt(1 << random.nextInt(1, 19)));
      }
      try (Arena arena = CountedArena.of(new Nothing())) {
        sizes.forEach(size -> arena.allocate(size, 1));
      }
      for (int pool = 0; pool < PoolSizes.COUNT; pool++) {
        long served = served(Math.max(16, 8L << pool), sizes);
        allocations[pool] += served;
        arenas[pool] += served == sizes.size() ? 1 : 0;
      }
    }
    HistogramData after = ArenaCounts.snapshot();
    for (int pool = 0; pool < PoolSizes.COUNT; pool++) {
      PoolShare share = after.pools().get(pool);
      PoolShare first = before.pools().get(pool);
      String where = "sizeBytes=" + share.sizeBytes() + ", seed=" + seed;
      assertThat(share.arenas() - first.arenas()).as(where).isEqualTo(arenas[pool]);
      assertThat(share.allocations() - first.allocations()).as(where).isEqualTo(allocations[pool]);
    }
  }

  @Test
  void snapshotsWhileArenasAreClosed_canBeReadAgain() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    Thread busy =
        new Thread(() -> {
          while (!isOver.get()) {
            try (Arena one = CountedArena.of(new Nothing());
                Arena two = CountedArena.of(new Nothing())) {
              var _ = one.allocate(64, 1); // the least of its bucket: a byte too few shows
              var _ = two.allocate(16, 1);
              var _ = two.allocate(16, 1);
            }
          }
        });
    busy.start();
    try {
      for (int i = 0; i < 2_000; i++) {
        HistogramData data = ArenaCounts.snapshot();
        List<Long> exact = new ArrayList<>();
        for (int bytes = 0; bytes < 64; bytes++) {
          exact.add(data.arenasOfExactly(bytes));
        }
        HistogramData again =
            HistogramData.of(
                data.arenasOpened(),
                data.allocations(),
                exact,
                data.buckets().stream()
                    .filter(bucket -> bucket.fromBytes() >= 64 && bucket.arenas() > 0)
                    .toList(),
                data.arenasByAllocations().stream().filter(some -> some.from() > 0).toList(),
                data.pools());
        assertThat(again.bytes()).isEqualTo(data.bytes());
      }
    } finally {
      isOver.set(true);
      busy.join();
    }
  }

  @Test
  void skewedCounters_areMadeToBelongTogether() {
    long[] counters = new long[Counters.COUNT];
    counters[Counters.OPENED] = 2;
    counters[Counters.LARGER_ARENAS] = 2;
    counters[Counters.LARGER_BYTES] = 64; // of one of them only
    counters[Counters.POOL_ARENAS] = 3;
    HistogramData data = HistogramData.ofCounters(counters);
    assertThat(data.bytes()).isEqualTo(128);
    assertThat(data.pools().getLast().arenas()).isEqualTo(2);
  }

  private static long served(long poolBytes, List<Long> sizes) {
    long used = 0;
    long served = 0;
    for (long size : sizes) {
      long block = Math.ceilDiv(Math.max(1, size), 16) * 16;
      if (used + block <= poolBytes) {
        used += block;
        served++;
      }
    }
    return served;
  }

  @Test
  void sums_stayAtTheLargestNumber() {
    HistogramData large =
        HistogramData.of(
            Long.MAX_VALUE,
            Long.MAX_VALUE,
            zeros(64),
            List.of(new Bucket(1L << 40, (2L << 40) - 1, 5_000_000, 6_000_000L << 40)),
            List.of(new AllocationBucket(1, 1, 5_000_000)),
            pools(0));
    HistogramData twice = large.merge(large);
    assertThat(twice.arenasOpened()).isEqualTo(Long.MAX_VALUE);
    assertThat(twice.bytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(twice.arenasClosed()).isEqualTo(10_000_000);
    assertThat(twice.table().getLast().arenas()).isEqualTo(10_000_000);
  }

  @Test
  void merge_addsEveryFigure() {
    List<Long> exact = new ArrayList<>(zeros(64));
    exact.set(0, 4L);
    exact.set(5, 3L);
    HistogramData some =
        HistogramData.of(
            20,
            9,
            exact,
            List.of(new Bucket(64, 127, 2, 200)),
            List.of(new AllocationBucket(1, 1, 5)),
            pools(7));
    HistogramData sum = some.merge(some);
    assertThat(sum.arenasOpened()).isEqualTo(40);
    assertThat(sum.arenasClosed()).isEqualTo(18);
    assertThat(sum.arenasNotClosed()).isEqualTo(22);
    assertThat(sum.bytes()).isEqualTo(430);
    assertThat(sum.allocations()).isEqualTo(18);
    assertThat(sum.arenasWithoutAllocations()).isEqualTo(8);
    assertThat(sum.arenasOfExactly(5)).isEqualTo(6);
    assertThat(sum.buckets()).contains(new Bucket(4, 7, 6, 30), new Bucket(64, 127, 4, 400));
    assertThat(sum.pools().getFirst()).isEqualTo(new PoolShare(8, 14, 14));
    assertThat(HistogramText.table(sum))
        .isEqualTo(
            """
            arenas closed: 18; not closed: 22; allocations: 18; bytes: 430; average: 23.9 B
            size                      arenas    share                  bytes    share
            empty                          8  44.444%                      0   0.000%
            <= 15 B                       14  77.778%                     30   6.977%
            <= 31 B                       14  77.778%                     30   6.977%
            <= 63 B                       14  77.778%                     30   6.977%
            < 64 KiB                      18 100.000%                    430 100.000%
            >= 64 KiB                      0   0.000%                      0   0.000%
            >= 512 KiB                     0   0.000%                      0   0.000%
            """);
  }

  @Test
  void impossibleFigures_areRefused() {
    assertThatThrownBy(() ->
            HistogramData.of(
                1, 9, zeros(64), List.of(new Bucket(64, 127, 2, 2000)), List.of(), pools(0)))
        .hasMessage(
            "impossible figure: bytes=2000 (expected what so many arenas of that size have)");
    assertThatThrownBy(() ->
            HistogramData.of(
                1, 9, zeros(64), List.of(new Bucket(64, 127, 2, 200)), List.of(), pools(0)))
        .hasMessage(
            "impossible figure: arenasOpened=1 (expected at least as many as were closed: 2)");
    assertThatThrownBy(() -> HistogramData.of(0, 0, zeros(63), List.of(), List.of(), pools(0)))
        .hasMessage("impossible figure: count of exact sizes=63 (expected 64)");
  }

  private static List<Long> zeros(int count) {
    return Collections.nCopies(count, 0L);
  }

  private static List<PoolShare> pools(long served) {
    List<PoolShare> pools = new ArrayList<>();
    for (int i = 0; i < PoolSizes.COUNT; i++) {
      pools.add(new PoolShare(8 << i, served, served));
    }
    return pools;
  }
}
