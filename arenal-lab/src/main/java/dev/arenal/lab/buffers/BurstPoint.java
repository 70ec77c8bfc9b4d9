package dev.arenal.lab.buffers;

/**
 * A moment of a burst.
 *
 * @param nanos time since the first allocation
 * @param residentBytes resident, without what was before
 */
public record BurstPoint(long nanos, long residentBytes) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The same time in seconds. */
  public double seconds() {
    return nanos / NANOS_PER_SECOND;
  }
}
