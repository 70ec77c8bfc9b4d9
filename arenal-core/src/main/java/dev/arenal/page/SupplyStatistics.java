package dev.arenal.page;

import static dev.arenal.stats.StatisticsUnit.BYTES_PER_SECOND;
import static dev.arenal.stats.StatisticsUnit.OPERATIONS_PER_SECOND;

import dev.arenal.stats.Counter;
import dev.arenal.stats.StatisticsRecorder;
import dev.arenal.stats.StatisticsUnit;

/** The rows that a supply counts into; their names are those of ZGC where it has the row. */
final class SupplyStatistics {
  private static final String GROUP = "Memory";

  final Counter takenBytes;
  final Counter defragments;
  final Counter flushedBytes;
  final Counter harvests;
  final Counter hitsL1;
  final Counter hitsL2;
  final Counter hitsL3;
  final Counter misses;
  final Counter uncommittedBytes;
  final Counter undos;

  SupplyStatistics(StatisticsRecorder recorder) {
    takenBytes = counter(recorder, "Page Allocation Rate", BYTES_PER_SECOND);
    defragments = counter(recorder, "Defragment", OPERATIONS_PER_SECOND);
    flushedBytes = counter(recorder, "Page Cache Flush", BYTES_PER_SECOND);
    harvests = counter(recorder, "Page Cache Harvest", OPERATIONS_PER_SECOND);
    hitsL1 = counter(recorder, "Page Cache Hit L1", OPERATIONS_PER_SECOND);
    hitsL2 = counter(recorder, "Page Cache Hit L2", OPERATIONS_PER_SECOND);
    hitsL3 = counter(recorder, "Page Cache Hit L3", OPERATIONS_PER_SECOND);
    misses = counter(recorder, "Page Cache Miss", OPERATIONS_PER_SECOND);
    uncommittedBytes = counter(recorder, "Uncommit", BYTES_PER_SECOND);
    undos = counter(recorder, "Undo Page Allocation", OPERATIONS_PER_SECOND);
  }

  void count(RangeCache.Hit hit) {
    switch (hit) {
      case L1 -> hitsL1.add(1);
      case L2 -> hitsL2.add(1);
      case L3 -> hitsL3.add(1);
    }
  }

  private static Counter counter(StatisticsRecorder recorder, String row, StatisticsUnit unit) {
    return recorder.counter(GROUP, row, unit);
  }
}
