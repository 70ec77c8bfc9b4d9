package dev.arenal.page.granule;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a {@code PageAllocatorBuilder} has checked and filled in.
 *
 * @param longestCloseWaitNanos for which the close of a damaged allocator waits for calls to the
 *     kernel that may not exist
 * @param pretouch the memory that is resident from the beginning; null: none
 * @param rackCount of racks, which keep free buffers at hand before their heaps get them, a power
 *     of two; 0: none
 * @param sharesFree whether others of the budget may have free memory, and it that of others
 */
public record PageSettings(
    String name,
    OperatingSystem os,
    CommitMode commitMode,
    Budget budget,
    long capacityBytes,
    Duration uncommitDelay,
    long floorBytes,
    @Nullable Pretouch pretouch,
    int slackPercent,
    long maxWaitNanos,
    boolean isZeroed,
    boolean isChecked,
    boolean sharesFree,
    int rackCount,
    long largestReservationBytes,
    long longestCloseWaitNanos) {}
