package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Nodes;
import dev.arenal.elastic.chunk.SpaceCounters;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import java.time.Duration;

/**
 * The settings of a space.
 *
 * @param longestCloseWaitNanos for which the close of a damaged space waits for what is claimed
 */
record SpaceSettings(
    String name,
    OperatingSystem os,
    long fixedSizeBytes,
    long granuleBytes,
    CommitMode commitMode,
    Budget budget,
    ReclaimPolicy reclaimPolicy,
    long reserveBytes,
    Duration uncommitDelay,
    long longestCloseWaitNanos) {
  /** No mappings yet. */
  Nodes newNodes(SpaceCounters counters) {
    return new Nodes(os, commitMode, budget, granuleBytes, isGrowable(), counters);
  }

  boolean isGrowable() {
    return fixedSizeBytes == 0;
  }
}
