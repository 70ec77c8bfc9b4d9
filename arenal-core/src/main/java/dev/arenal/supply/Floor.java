package dev.arenal.supply;

/**
 * Committed memory below which nothing goes back by itself: that of the settings, or what was
 * pretouched.
 *
 * <p>Any thread may read it; a recent value will do. It is changed under a monitor of its own, in
 * which nothing else is taken.
 */
public final class Floor {
  private final long leastBytes;
  private volatile long sizeBytes;

  /** That of the settings. */
  public Floor(long leastBytes) {
    this.leastBytes = leastBytes;
    this.sizeBytes = leastBytes;
  }

  /** The floor now. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** A pretouch begins; returns the floor before, to {@link #lower} it to if that fails. */
  public synchronized long raise(long wantedBytes) {
    long before = sizeBytes;
    sizeBytes = Math.max(before, wantedBytes);
    return before;
  }

  /** A pretouch has failed; a floor that has become lower meanwhile stays. */
  public synchronized void lower(long beforeBytes) {
    sizeBytes = Math.min(sizeBytes, beforeBytes);
  }

  /** Memory that was pretouched may go back by itself, down to the floor of the settings. */
  public synchronized void reset() {
    sizeBytes = leastBytes;
  }
}
