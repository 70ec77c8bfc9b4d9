package dev.arenal.elastic;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import java.time.Duration;

/** What a space was built with. */
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
    boolean trackOpening,
    boolean touchAhead,
    TouchHelper touchHelper) {
  boolean isGrowable() {
    return fixedSizeBytes == 0;
  }
}
