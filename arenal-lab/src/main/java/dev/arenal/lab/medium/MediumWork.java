package dev.arenal.lab.medium;

import dev.arenal.lab.process.Work;
import dev.arenal.page.PageAllocator;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One run of one variant, warmed up and measured.
 *
 * @param isSynchronized whether one thread at a time replaces a full medium page
 */
record MediumWork(MediumPlan plan, boolean isSynchronized) implements Work<MediumResult> {
  private static final String GROUP = "Memory";
  private static final Duration MOST_WAIT = Duration.ofSeconds(20);
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  @Override
  public MediumResult run() throws InterruptedException {
    try (PageAllocator warmUp = open("warm-up")) {
      var _ = new MediumLoad(warmUp, plan).run(WARM_UP_NANOS);
    }
    return measure();
  }

  /** The measured part. */
  MediumResult measure() throws InterruptedException {
    try (PageAllocator allocator = open("medium")) {
      MediumLoad.Outcome outcome =
          new MediumLoad(allocator, plan).run(TimeUnit.SECONDS.toNanos(plan.seconds()));
      StatisticsTable table = allocator.statistics();
      double seconds = outcome.seconds();
      return new MediumResult(
          isSynchronized,
          plan,
          seconds,
          outcome.allocationCount(),
          figure(table, "Allocation Rate", seconds),
          figure(table, "Page Allocation Rate", seconds),
          figure(table, "Undo Page Allocation", seconds),
          figure(table, "Page Cache Flush", seconds),
          figure(table, "Defragment", seconds),
          outcome.latencies(),
          outcome.timeline(),
          table.toString());
    }
  }

  /**
   * A row of the allocator's statistics.
   *
   * <p>The average is over the time of the run: the table's own is one over whole seconds, rounded
   * down. The highest second is that of the table, but what has come since its last sample counts
   * too, and no run is below its average in all of its seconds: one of a second lies in two of the
   * table's.
   */
  static MediumFigure figure(StatisticsTable table, String name, double seconds) {
    StatisticsRow row =
        table
            .row(GROUP, name)
            .orElseThrow(() ->
                new IllegalStateException(
                    "statistics have no such row: group=%s, row=%s".formatted(GROUP, name)));
    long total = row.sumEver();
    double average = total / seconds;
    long sampledMax = Math.max(row.total().max(), row.pending());
    return new MediumFigure(average, Math.max(sampledMax, (long) Math.ceil(average)), total);
  }

  /**
   * Everything is committed from the start, as in a heap with {@code -Xms} = {@code -Xmx}: what the
   * cache does not have in one piece must be put together out of pieces. Memory is not zeroed: the
   * load writes every byte itself, as a heap clears its objects.
   */
  private PageAllocator open(String name) {
    return RefillSeam.prepare(PageAllocator.builder(name), isSynchronized)
        .capacityBytes(plan.capacityBytes())
        .pretouch(Pretouch.all())
        .maxWait(MOST_WAIT)
        .zeroed(false)
        .build();
  }
}
