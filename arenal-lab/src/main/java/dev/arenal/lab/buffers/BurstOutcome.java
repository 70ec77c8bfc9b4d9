package dev.arenal.lab.buffers;

import java.util.List;

/**
 * What a process of a burst measured.
 *
 * @param library name and version of the allocator
 * @param points along the way, the last one at the end of the idle time
 * @param survivorBytes the sum of the buffers that stayed
 * @param freedSeconds when the last buffer had been freed
 */
record BurstOutcome(
    String library, List<BurstPoint> points, long survivorBytes, double freedSeconds) {}
