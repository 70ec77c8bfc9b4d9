package dev.arenal.page;

import java.time.Duration;
import java.util.List;

/**
 * Buffers of one size, age and place of birth that are open, or were lost without a close.
 *
 * <p>Where not each buffer is watched ({@code -Darenal.leaks=all}), the count is an estimate: that
 * of the buffers for which those that are watched stand. Buffers of which few are open may be
 * missing then.
 *
 * @param sizeBytes of each, as it was asked for
 * @param age as it was asked for
 * @param place the line on the stack of the thread that asked which is the program's: the first one
 *     outside of the library and of what hands out buffers in Netty and Arrow
 * @param isLost whether they were collected as garbage: they are leaks
 * @param isEstimated whether the count is an estimate
 * @param count how many
 * @param oldest how long ago the first one of those that are watched was asked for
 */
public record OpenBuffers(
    long sizeBytes,
    PageAge age,
    StackTraceElement place,
    boolean isLost,
    boolean isEstimated,
    long count,
    Duration oldest) {

  private static final int MOST_IN_A_MESSAGE = 3;

  /** The sum of their sizes, in bytes. */
  public long totalBytes() {
    return sizeBytes * count;
  }

  /** Count, size, age, place, and how old the oldest is. */
  @Override
  public String toString() {
    return (isEstimated ? "~" : "")
        + count
        + " x "
        + sizeBytes
        + " B "
        + age
        + (isLost ? " lost, from " : " from ")
        + place
        + ", oldest "
        + oldest.toSeconds()
        + " s";
  }

  /** For messages: those with most bytes, and how many groups more there are. */
  static String inMessage(List<OpenBuffers> groups) {
    if (groups.isEmpty()) {
      return "";
    }
    int count = Math.min(groups.size(), MOST_IN_A_MESSAGE);
    int rest = groups.size() - count;
    return ", openBuffers="
        + groups.subList(0, count)
        + (rest == 0 ? "" : " and " + rest + " groups more");
  }
}
