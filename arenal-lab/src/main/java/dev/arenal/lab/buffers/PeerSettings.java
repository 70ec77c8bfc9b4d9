package dev.arenal.lab.buffers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What an allocator is told. The peers take no advice of this kind and have their own defaults.
 *
 * @param capacityBytes more than will ever be live
 * @param uncommitDelay how long free memory is kept; null for the default
 * @param countThreads how many threads will use it
 */
record PeerSettings(long capacityBytes, @Nullable Duration uncommitDelay, int countThreads) {}
