package dev.arenal.page;

/**
 * Buffers of one size, age and place of birth that are open, or were lost without a close.
 *
 * <p>Where not each buffer is watched ({@code -Darenal.page.leaks=all}), the count is an estimate:
 * that of the buffers for which those that are watched stand. A kind of buffers of which few are
 * open may be missing then.
 *
 * @param sizeBytes of each, as it was asked for
 * @param age as it was asked for
 * @param place the first frame outside of the library on the stack of the thread that asked
 * @param isLost whether nobody has the buffers any more: they are leaks
 * @param isEstimated whether the count is an estimate
 * @param count how many
 */
public record OpenBuffers(
    long sizeBytes,
    PageAge age,
    StackTraceElement place,
    boolean isLost,
    boolean isEstimated,
    long count) {

  OpenBuffers withCount(long newCount) {
    return new OpenBuffers(sizeBytes, age, place, isLost, isEstimated, newCount);
  }

  /** The sum of their sizes. */
  public long totalBytes() {
    return sizeBytes * count;
  }

  /** Count, size, age and place. */
  @Override
  public String toString() {
    return (isEstimated ? "~" : "")
        + count
        + " x "
        + sizeBytes
        + " B "
        + age
        + (isLost ? " lost, from " : " from ")
        + place;
  }
}
