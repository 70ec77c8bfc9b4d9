package dev.arenal.page;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import java.time.Duration;

/** What a {@link PageAllocatorBuilder} has checked and filled in. */
record PageSettings(
    String name,
    OperatingSystem os,
    CommitMode commitMode,
    Budget budget,
    long capacityBytes,
    Duration uncommitDelay,
    long floorBytes,
    long pretouchBytes,
    int slackPercent,
    Duration maxWait,
    boolean isZeroed,
    boolean isChecked,
    boolean isRefillSynchronized,
    long largestReservationBytes) {}
