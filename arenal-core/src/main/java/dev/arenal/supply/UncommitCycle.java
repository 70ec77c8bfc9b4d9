package dev.arenal.supply;

/**
 * Decides when free committed memory has been idle for long enough to go back to the kernel, and
 * how much.
 *
 * <p>Idle is what was free all through one delay: the low watermark. It goes back during the next
 * delay, in steps spread over it, lest memory that is needed again in a moment goes in one burst;
 * the cycle can be cancelled when memory has to be committed again. As in ZGC since JDK 25.
 *
 * <p>Knows no clock: time comes in, of any clock that goes forward, such as {@link
 * System#nanoTime}. Guarded by the lock of the owner.
 */
public final class UncommitCycle {
  private final long delayNanos;
  private final long stepBytes;

  /** Whether a delay is being waited out or spread over; false until the next look begins one. */
  private boolean isWatching;

  private long watchedSinceNanos;
  private long lowBytes;

  private long leftBytes;
  private long intervalNanos;
  private long nextStepNanos;

  /**
   * Not watching yet.
   *
   * @param stepBytes how much goes at once; {@link Long#MAX_VALUE} for all of it
   */
  public UncommitCycle(long delayNanos, long stepBytes) {
    this.delayNanos = delayNanos;
    this.stepBytes = stepBytes;
  }

  /** Begins to watch, at the beginning of a delay. */
  public void watch(long nowNanos, long freeBytes) {
    isWatching = true;
    watchedSinceNanos = nowNanos;
    lowBytes = freeBytes;
  }

  /** Notes how much is free after something was taken. */
  public void noteFree(long freeBytes) {
    lowBytes = Math.min(lowBytes, freeBytes);
  }

  /** Notes that memory had to be committed: this is no time to give any back. */
  public void cancel() {
    isWatching = false;
    leftBytes = 0;
  }

  /**
   * The bytes that are due to go back now.
   *
   * @param spareBytes how much may go before the floor is reached
   */
  public long dueBytes(long nowNanos, long freeBytes, long spareBytes) {
    if (!isWatching) {
      watch(nowNanos, freeBytes);
      return 0;
    }
    if (leftBytes == 0) {
      if (nowNanos - watchedSinceNanos < delayNanos) {
        return 0;
      }
      leftBytes = Math.min(lowBytes, spareBytes);
      intervalNanos = delayNanos / Math.max(1, Math.ceilDiv(leftBytes, stepBytes));
      nextStepNanos = nowNanos;
      watch(nowNanos, freeBytes);
    }
    leftBytes = Math.min(leftBytes, Math.min(lowBytes, spareBytes));
    if (leftBytes == 0 || nowNanos - nextStepNanos < 0) {
      return 0;
    }
    long stepCount = 1 + (nowNanos - nextStepNanos) / Math.max(1, intervalNanos);
    nextStepNanos += stepCount * intervalNanos;
    long dueBytes =
        stepCount >= Math.ceilDiv(leftBytes, stepBytes) ? leftBytes : stepCount * stepBytes;
    leftBytes -= dueBytes;
    return dueBytes;
  }

  /** Nanoseconds until something may be due; at least one. */
  public long restNanos(long nowNanos) {
    long atNanos = leftBytes == 0 ? watchedSinceNanos + delayNanos : nextStepNanos;
    return isWatching ? Math.max(1, atNanos - nowNanos) : delayNanos;
  }
}
