package dev.arenal.supply;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Committed memory below which nothing goes back by itself: that of the settings, or what was
 * pretouched.
 *
 * <p><b>Threading:</b> any thread, without a lock.
 */
public final class Floor {
  private final long leastBytes;
  private final AtomicLong sizeBytes;

  /** That of the settings. */
  public Floor(long leastBytes) {
    this.leastBytes = leastBytes;
    this.sizeBytes = new AtomicLong(leastBytes);
  }

  /** The floor now. */
  public long sizeBytes() {
    return sizeBytes.get();
  }

  /** A pretouch begins; returns the floor before, to {@link #lower} it to if that fails. */
  public long raise(long wantedBytes) {
    long before;
    do {
      before = sizeBytes.get();
    } while (!sizeBytes.compareAndSet(before, Math.max(before, wantedBytes)));
    return before;
  }

  /** A pretouch has failed; a floor that has become lower meanwhile stays. */
  public void lower(long beforeBytes) {
    long now;
    do {
      now = sizeBytes.get();
    } while (!sizeBytes.compareAndSet(now, Math.min(now, beforeBytes)));
  }

  /** Memory that was pretouched may go back by itself, down to the floor of the settings. */
  public void reset() {
    sizeBytes.set(leastBytes);
  }
}
