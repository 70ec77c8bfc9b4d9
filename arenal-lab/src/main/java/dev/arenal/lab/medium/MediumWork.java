package dev.arenal.lab.medium;

import dev.arenal.lab.process.Work;
import dev.arenal.page.PageAllocator;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.stats.StatisticsTable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One run of one variant, warmed up and measured.
 *
 * @param isSynchronized whether one thread at a time replaces a full medium page
 */
record MediumWork(MediumPlan plan, boolean isSynchronized) implements Work<MediumResult> {
  private static final Duration MOST_WAIT = Duration.ofSeconds(20);
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  @Override
  public MediumResult run() throws InterruptedException {
    try (PageAllocator warmUp = open("warm-up", plan, isSynchronized)) {
      var _ = new MediumLoad(warmUp, plan).run(WARM_UP_NANOS);
    }
    return measure(plan, isSynchronized);
  }

  /** The measured part. */
  static MediumResult measure(MediumPlan plan, boolean isSynchronized) throws InterruptedException {
    try (PageAllocator allocator = open("medium", plan, isSynchronized)) {
      MediumLoad.Outcome outcome =
          new MediumLoad(allocator, plan).run(TimeUnit.SECONDS.toNanos(plan.seconds()));
      StatisticsTable table = allocator.statistics();
      MediumStatistics statistics = new MediumStatistics(table, outcome.seconds());
      return new MediumResult(
          isSynchronized,
          plan,
          outcome.seconds(),
          outcome.allocationCount(),
          statistics.figure("Allocation Rate"),
          statistics.figure("Page Allocation Rate"),
          statistics.figure("Undo Page Allocation"),
          statistics.figure("Page Cache Flush"),
          statistics.figure("Defragment"),
          outcome.latencies(),
          outcome.timeline(),
          table.toString());
    }
  }

  /**
   * Everything is committed from the start, as in a heap with {@code -Xms} = {@code -Xmx}: what the
   * cache does not have in one piece must be put together out of pieces. Memory is not zeroed: the
   * load writes every byte itself, as a heap clears its objects.
   */
  private static PageAllocator open(String name, MediumPlan plan, boolean isSynchronized) {
    return RefillSeam.prepare(PageAllocator.builder(name), isSynchronized)
        .capacityBytes(plan.capacityBytes())
        .pretouch(Pretouch.all())
        .maxWait(MOST_WAIT)
        .zeroed(false)
        .build();
  }
}
