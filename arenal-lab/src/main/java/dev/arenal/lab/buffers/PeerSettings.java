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
record PeerSettings(long capacityBytes, @Nullable Duration uncommitDelay, int countThreads) {
  /** An allocator may have a page open for each thread and size, before anything is live. */
  private static final long BYTES_PER_THREAD = 64 << 20;

  private static final long LEAST_BYTES = 1 << 30;
  private static final int CAPACITY_PER_LIVE = 4;

  /** So much that nobody is ever near the end: what is compared is not how tight one can be. */
  static PeerSettings generous(long liveBytes, @Nullable Duration uncommitDelay, int countThreads) {
    return new PeerSettings(
        LEAST_BYTES + CAPACITY_PER_LIVE * liveBytes + BYTES_PER_THREAD * countThreads,
        uncommitDelay,
        countThreads);
  }
}
