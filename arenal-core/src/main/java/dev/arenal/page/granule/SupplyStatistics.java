package dev.arenal.page.granule;

import static dev.arenal.stats.StatisticsUnit.BYTES_PER_SECOND;
import static dev.arenal.stats.StatisticsUnit.OPERATIONS_PER_SECOND;

import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The counters of a supply, in rows with the names that ZGC has for them where it has the row.
 *
 * <p>Nothing here creates an object, as a {@code LongAdder} may: a page is not lost because it
 * could not be counted.
 */
public final class SupplyStatistics {
  private static final String GROUP = "Memory";

  /** Pages handed out, undone ones included. */
  public final AtomicLong takenBytes = new AtomicLong();

  public final AtomicLong defragments = new AtomicLong();

  /** Cached memory that had to leave its place for a page that was put together. */
  public final AtomicLong flushedBytes = new AtomicLong();

  /** Pages for which memory was flushed. */
  public final AtomicLong harvests = new AtomicLong();

  /** Free memory that others of the budget have got, and that they have given. */
  public final AtomicLong givenBytes = new AtomicLong();

  public final AtomicLong receivedBytes = new AtomicLong();

  public final AtomicLong hitsL1 = new AtomicLong();
  public final AtomicLong hitsL2 = new AtomicLong();
  public final AtomicLong hitsL3 = new AtomicLong();
  public final AtomicLong misses = new AtomicLong();

  /** From the cache, from inside pages, and of empty pages with holes, which are not cached. */
  public final AtomicLong uncommittedBytes = new AtomicLong();

  public final AtomicLong undos = new AtomicLong();

  SupplyStatistics(StatisticsRecorder recorder) {
    row(recorder, "Page Allocation Rate", BYTES_PER_SECOND, takenBytes);
    row(recorder, "Defragment", OPERATIONS_PER_SECOND, defragments);
    row(recorder, "Page Cache Flush", BYTES_PER_SECOND, flushedBytes);
    row(recorder, "Page Cache Given", BYTES_PER_SECOND, givenBytes);
    row(recorder, "Page Cache Harvest", OPERATIONS_PER_SECOND, harvests);
    row(recorder, "Page Cache Hit L1", OPERATIONS_PER_SECOND, hitsL1);
    row(recorder, "Page Cache Hit L2", OPERATIONS_PER_SECOND, hitsL2);
    row(recorder, "Page Cache Hit L3", OPERATIONS_PER_SECOND, hitsL3);
    row(recorder, "Page Cache Miss", OPERATIONS_PER_SECOND, misses);
    row(recorder, "Page Cache Received", BYTES_PER_SECOND, receivedBytes);
    row(recorder, "Uncommit", BYTES_PER_SECOND, uncommittedBytes);
    row(recorder, "Undo Page Allocation", OPERATIONS_PER_SECOND, undos);
  }

  void count(RangeCache.Hit hit) {
    var _ =
        switch (hit) {
          case L1 -> hitsL1.incrementAndGet();
          case L2 -> hitsL2.incrementAndGet();
          case L3 -> hitsL3.incrementAndGet();
        };
  }

  private static void row(
      StatisticsRecorder recorder, String row, StatisticsUnit unit, AtomicLong total) {
    recorder.counter(GROUP, row, unit, new Total(total));
  }

  /** No lambda: to link one is a good part of a program's first use of the library. */
  private static final class Total implements LongSupplier {
    private final AtomicLong total;

    Total(AtomicLong total) {
      this.total = total;
    }

    @Override
    public long getAsLong() {
      return total.get();
    }
  }
}
