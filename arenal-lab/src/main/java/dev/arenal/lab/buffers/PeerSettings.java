package dev.arenal.lab.buffers;

import java.time.Duration;

/**
 * The settings of an allocator.
 *
 * @param capacityBytes more than will ever be live
 * @param shortDelay how long those keep free memory that are told to give it back soon
 * @param threadCount how many threads will use it
 */
record PeerSettings(long capacityBytes, Duration shortDelay, int threadCount) {
  /** The short delay where none is asked for; the same for all that have one. */
  static final Duration SHORT_DELAY = Duration.ofSeconds(1);

  /** An allocator may have a page open for each thread and size, before anything is live. */
  private static final long BYTES_PER_THREAD = 64 << 20;

  private static final long LEAST_BYTES = 1 << 30;
  private static final int CAPACITY_PER_LIVE = 4;

  /** So much that nobody is ever near the end: what is compared is not how tight one can be. */
  static PeerSettings generous(long liveBytes, Duration shortDelay, int threadCount) {
    return new PeerSettings(
        LEAST_BYTES + CAPACITY_PER_LIVE * liveBytes + BYTES_PER_THREAD * threadCount,
        shortDelay,
        threadCount);
  }
}
