package dev.arenal.lab.buffers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a process of a churn measured.
 *
 * @param library name and version of the allocator
 * @param points along the way, the last one at the end
 * @param keptBytes resident when every buffer had been freed
 * @param trimmedBytes the same after the allocator was asked to give back what is free; null if it
 *     has no call for that
 * @param countFreed buffers freed
 * @param countFreedForOthers those of them that another thread had taken
 */
record ChurnOutcome(
    String library,
    List<ChurnPoint> points,
    long keptBytes,
    @Nullable Long trimmedBytes,
    long countFreed,
    long countFreedForOthers) {}
