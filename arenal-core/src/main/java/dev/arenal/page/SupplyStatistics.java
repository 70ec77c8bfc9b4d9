package dev.arenal.page;

import static dev.arenal.stats.StatisticsUnit.BYTES_PER_SECOND;
import static dev.arenal.stats.StatisticsUnit.OPERATIONS_PER_SECOND;

import dev.arenal.stats.StatisticsRecorder;
import dev.arenal.stats.StatisticsUnit;
import java.util.concurrent.atomic.LongAdder;

/** What a supply counts, in rows with the names that ZGC has for them where it has the row. */
final class SupplyStatistics {
  private static final String GROUP = "Memory";

  /** Pages handed out, undone ones included. */
  final LongAdder takenBytes = new LongAdder();

  final LongAdder defragments = new LongAdder();

  /** Cached memory that had to leave its place for a page that was put together. */
  final LongAdder flushedBytes = new LongAdder();

  /** Pages for which memory was flushed. */
  final LongAdder harvests = new LongAdder();

  final LongAdder hitsL1 = new LongAdder();
  final LongAdder hitsL2 = new LongAdder();
  final LongAdder hitsL3 = new LongAdder();
  final LongAdder misses = new LongAdder();

  /** From the cache and from inside pages. */
  final LongAdder uncommittedBytes = new LongAdder();

  final LongAdder undos = new LongAdder();

  SupplyStatistics(StatisticsRecorder recorder) {
    row(recorder, "Page Allocation Rate", BYTES_PER_SECOND, takenBytes);
    row(recorder, "Defragment", OPERATIONS_PER_SECOND, defragments);
    row(recorder, "Page Cache Flush", BYTES_PER_SECOND, flushedBytes);
    row(recorder, "Page Cache Harvest", OPERATIONS_PER_SECOND, harvests);
    row(recorder, "Page Cache Hit L1", OPERATIONS_PER_SECOND, hitsL1);
    row(recorder, "Page Cache Hit L2", OPERATIONS_PER_SECOND, hitsL2);
    row(recorder, "Page Cache Hit L3", OPERATIONS_PER_SECOND, hitsL3);
    row(recorder, "Page Cache Miss", OPERATIONS_PER_SECOND, misses);
    row(recorder, "Uncommit", BYTES_PER_SECOND, uncommittedBytes);
    row(recorder, "Undo Page Allocation", OPERATIONS_PER_SECOND, undos);
  }

  void count(RangeCache.Hit hit) {
    switch (hit) {
      case L1 -> hitsL1.increment();
      case L2 -> hitsL2.increment();
      case L3 -> hitsL3.increment();
    }
  }

  private static void row(
      StatisticsRecorder recorder, String row, StatisticsUnit unit, LongAdder total) {
    recorder.counter(GROUP, row, unit, total::sum);
  }
}
