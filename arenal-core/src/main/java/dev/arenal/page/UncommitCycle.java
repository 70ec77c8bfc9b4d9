package dev.arenal.page;

/**
 * Decides when cached memory has been idle for long enough to go back to the kernel, and how much.
 *
 * <p>Idle is what the cache had all through one delay: its low watermark. Nine tenths of that go
 * back during the next delay, in chunks spread over it, lest memory that is needed again in a
 * moment goes in one burst; the cycle ends at once when the supply has to commit memory again. As
 * in ZGC since JDK 25.
 *
 * <p>Knows no clock: time comes in. Guarded by the lock of the supply.
 */
final class UncommitCycle {
  private static final int CHUNKS_PER_CAPACITY = 128;
  private static final int MOST_CHUNK_GRANULES = 128;

  private final long delayNanos;
  private final int chunkGranules;

  /** Whether a delay is being waited out or spread over; false until the next tick begins one. */
  private boolean isWatching;

  private long watchedSinceNanos;
  private int lowGranules;

  private int leftGranules;
  private long intervalNanos;
  private long nextChunkNanos;

  UncommitCycle(long delayNanos, int capacityGranules) {
    this.delayNanos = delayNanos;
    this.chunkGranules = Math.clamp(capacityGranules / CHUNKS_PER_CAPACITY, 1, MOST_CHUNK_GRANULES);
  }

  /** Notes what the cache has after something was taken. */
  void noteCached(int cachedGranules) {
    lowGranules = Math.min(lowGranules, cachedGranules);
  }

  /** Notes that memory had to be committed: this is no time to give any back. */
  void cancel() {
    isWatching = false;
    leftGranules = 0;
  }

  /**
   * How many granules are due to go back now.
   *
   * @param nowNanos of any clock that goes forward, such as {@link System#nanoTime}
   * @param cachedGranules what the cache has now
   * @param spareGranules how many may go before the floor is reached
   */
  int due(long nowNanos, int cachedGranules, int spareGranules) {
    if (!isWatching) {
      watch(nowNanos, cachedGranules);
      return 0;
    }
    if (leftGranules == 0) {
      if (nowNanos - watchedSinceNanos < delayNanos) {
        return 0;
      }
      int idleGranules = (int) Math.ceilDiv(lowGranules * 9L, 10L); // the last granule goes, too
      leftGranules = Math.min(idleGranules, spareGranules);
      intervalNanos = delayNanos / Math.max(1, Math.ceilDiv(leftGranules, chunkGranules));
      nextChunkNanos = nowNanos;
      watch(nowNanos, cachedGranules);
    }
    leftGranules = Math.min(leftGranules, Math.min(lowGranules, spareGranules));
    if (leftGranules == 0 || nowNanos - nextChunkNanos < 0) {
      return 0;
    }
    long countChunks = 1 + (nowNanos - nextChunkNanos) / Math.max(1, intervalNanos);
    nextChunkNanos += countChunks * intervalNanos;
    int granules =
        (int) Math.min(leftGranules, Math.min(countChunks, leftGranules) * chunkGranules);
    leftGranules -= granules;
    return granules;
  }

  private void watch(long nowNanos, int cachedGranules) {
    isWatching = true;
    watchedSinceNanos = nowNanos;
    lowGranules = cachedGranules;
  }
}
