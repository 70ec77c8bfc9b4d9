package dev.arenal.lab.medium;

import dev.arenal.lab.medium.MediumResult.Moment;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Threads that allocate what a collected heap would: mostly medium buffers, each written whole,
 * kept a while and freed in waves, with small and a few large ones in between. What a thread asks
 * for is drawn from a seed, so that all variants are asked for the same.
 */
final class MediumLoad {
  private static final long SEED = 8339387;

  /** In thousandths of all buffers. */
  private static final int WHOLE = 1000;

  private static final int SMALL = 150;
  private static final int LARGE = 4;

  private static final long LEAST_SMALL_BYTES = 1 << 10;
  private static final long MOST_SMALL_BYTES = 64 << 10;

  /** Of the capacity: two waves are alive when the second is full. */
  private static final double WAVE = 0.28;

  private static final double OLD = 0.06;
  private static final long MILLIS_BETWEEN_MOMENTS = 50;
  private static final double NANOS_PER_SECOND = 1e9;

  private final PageAllocator allocator;
  private final MediumPlan plan;
  private final Waves waves;
  private final LongAdder allocatedBytes = new LongAdder();
  private final LongAdder allocationCount = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean isOver;

  MediumLoad(PageAllocator allocator, MediumPlan plan) {
    this.allocator = allocator;
    this.plan = plan;
    this.waves =
        new Waves(
            allocator,
            (long) (plan.capacityBytes() * WAVE),
            (long) (plan.capacityBytes() * OLD),
            SEED);
  }

  /** The figures that the threads have gathered themselves. */
  record Outcome(
      double seconds, long allocationCount, Histogram latencies, List<Moment> timeline) {}

  /** Runs the threads for that long, and frees everything. */
  Outcome run(long nanos) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<Histogram> latencies = new ArrayList<>();
    CountDownLatch start = new CountDownLatch(1);
    List<Moment> timeline;
    try {
      for (int i = 0; i < plan.threadCount(); i++) {
        Histogram histogram = Latencies.empty();
        latencies.add(histogram);
        SplittableRandom random = new SplittableRandom(SEED + i + 1);
        threads.add(Thread.ofPlatform().start(() -> allocateUntilOver(start, random, histogram)));
      }
      start.countDown();
      timeline = watch(nanos);
    } finally {
      isOver = true;
      start.countDown(); // also where not all threads could be started
      for (Thread thread : threads) {
        thread.join();
      }
      waves.close();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("a thread of the load failed: " + thrown, thrown);
    }
    Histogram all = Latencies.empty();
    latencies.forEach(all::add);
    return new Outcome(timeline.getLast().seconds(), allocationCount.sum(), all, timeline);
  }

  /** Notes how far all have come, until it is over. */
  private List<Moment> watch(long nanos) throws InterruptedException {
    List<Moment> timeline = new ArrayList<>();
    long start = System.nanoTime();
    long elapsed = 0;
    timeline.add(new Moment(0, 0));
    while (elapsed < nanos && failure.get() == null) {
      long rest = TimeUnit.NANOSECONDS.toMillis(nanos - elapsed) + 1;
      Thread.sleep(Math.min(MILLIS_BETWEEN_MOMENTS, rest));
      elapsed = System.nanoTime() - start;
      timeline.add(new Moment(elapsed / NANOS_PER_SECOND, allocatedBytes.sum()));
    }
    return timeline;
  }

  private void allocateUntilOver(
      CountDownLatch start, SplittableRandom random, Histogram histogram) {
    try {
      start.await();
      do { // at least one, however late this thread comes
        allocate(random, histogram);
      } while (!isOver);
    } catch (InterruptedException | RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private void allocate(SplittableRandom random, Histogram histogram) {
    int kind = random.nextInt(WHOLE);
    boolean isMedium = kind >= SMALL + LARGE;
    long sizeBytes = isMedium ? medium(random) : kind < SMALL ? small(random) : large(random);
    long before = System.nanoTime();
    PageBuffer buffer = allocator.allocate(sizeBytes, PageAge.SHORT_LIVED);
    long nanos = System.nanoTime() - before;
    if (isMedium) {
      Latencies.add(histogram, nanos);
    }
    buffer.segment().fill((byte) kind);
    allocatedBytes.add(sizeBytes);
    allocationCount.increment();
    waves.add(buffer);
  }

  private static long small(SplittableRandom random) {
    return random.nextLong(LEAST_SMALL_BYTES, MOST_SMALL_BYTES + 1);
  }

  private long medium(SplittableRandom random) {
    return random.nextLong(
        MediumPlan.LARGEST_SMALL_BUFFER_BYTES + 1, plan.largestMediumBufferBytes() + 1);
  }

  private long large(SplittableRandom random) {
    return random.nextLong(
        plan.largestMediumBufferBytes() + 1, 2 * plan.largestMediumBufferBytes() + 1);
  }
}
