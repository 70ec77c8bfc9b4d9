package dev.arenal.elastic;

/**
 * Whether something happens so fast that it is worth the help of another core: much memory in a
 * short time. Looks at the clock once for each portion only. Guarded by the lock of the space.
 */
final class GrowthRate {
  private static final long PORTION_BYTES = 128 * 1024;

  /** Some thirty thousand page faults a second, or a twentieth of a core. */
  private static final long PORTION_NANOS = 1_000_000;

  private final TouchHelper helper;
  private long bytes;
  private long sinceNanos;
  private boolean hot;

  GrowthRate(TouchHelper helper) {
    this.helper = helper;
  }

  /** Notes that it has happened to this much memory. */
  void note(long sizeBytes) {
    bytes += sizeBytes;
    if (bytes >= PORTION_BYTES) {
      long nowNanos = helper.nanoTime().getAsLong();
      hot = nowNanos - sinceNanos < PORTION_NANOS;
      sinceNanos = nowNanos;
      bytes = 0;
    }
  }

  /** Whether the last portion came fast. */
  boolean isHot() {
    return hot;
  }

  /** The same, but not when nothing has happened for a while. */
  boolean isHotNow() {
    hot &= helper.nanoTime().getAsLong() - sinceNanos < 2 * PORTION_NANOS;
    return hot;
  }
}
