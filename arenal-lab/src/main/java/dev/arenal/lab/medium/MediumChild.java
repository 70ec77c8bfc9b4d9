package dev.arenal.lab.medium;

import dev.arenal.lab.result.Json;
import dev.arenal.page.PageAllocator;
import dev.arenal.stats.StatisticsTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The program of one run: one variant, warmed up, measured, its result in a file. */
public final class MediumChild {
  /** Read by the allocator when it is built. */
  static final String SYNCHRONIZED_PROPERTY = "arenal.page.synchronizedRefill";

  private static final Duration MOST_WAIT = Duration.ofSeconds(20);
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private MediumChild() {}

  /**
   * Takes threads, seconds, capacity and the file for the result; the variant is a property.
   *
   * @param args the four, in this order
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    MediumPlan plan =
        new MediumPlan(
            Integer.parseInt(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]));
    boolean isSynchronized =
        Boolean.parseBoolean(System.getProperty(SYNCHRONIZED_PROPERTY, "true"));
    try (PageAllocator warmUp = open("warm-up", plan)) {
      var _ = new MediumLoad(warmUp, plan).run(WARM_UP_NANOS);
    }
    Json.write(Path.of(args[3]), measure(plan, isSynchronized));
  }

  /** One measured run in this process. */
  static MediumResult measure(MediumPlan plan, boolean isSynchronized) throws InterruptedException {
    try (PageAllocator allocator = open("medium", plan)) {
      MediumLoad.Outcome outcome =
          new MediumLoad(allocator, plan).run(TimeUnit.SECONDS.toNanos(plan.seconds()));
      StatisticsTable table = allocator.statistics();
      MediumStatistics statistics = new MediumStatistics(table, outcome.seconds());
      return new MediumResult(
          isSynchronized,
          plan,
          outcome.seconds(),
          outcome.countAllocations(),
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
  private static PageAllocator open(String name, MediumPlan plan) {
    return PageAllocator.builder()
        .name(name)
        .capacityBytes(plan.capacityBytes())
        .pretouchBytes(plan.capacityBytes())
        .maxWait(MOST_WAIT)
        .zeroed(false)
        .build();
  }
}
