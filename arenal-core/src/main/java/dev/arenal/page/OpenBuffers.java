package dev.arenal.page;

import java.time.Duration;
import java.util.List;

/**
 * Buffers of one size, age and place of birth that are open, or were lost without a close.
 *
 * <p>Unless every buffer is watched ({@code -Darenal.leaks=all}), the count is an estimate: each
 * watched buffer represents many. A group with few open buffers may then be missing.
 *
 * @param sizeBytes the requested size of each
 * @param age the requested age
 * @param place the first frame on the stack of the request that is outside the library and the
 *     buffer classes of Netty and Arrow
 * @param isLost whether they are leaks: collected as garbage without a close
 * @param isEnded whether they belong to confined arenas whose threads have ended, and stay until
 *     the allocator is closed
 * @param isEstimated whether the count is an estimate
 * @param count the number of buffers
 * @param oldest the age of the oldest watched one
 */
public record OpenBuffers(
    long sizeBytes,
    PageAge age,
    StackTraceElement place,
    boolean isLost,
    boolean isEnded,
    boolean isEstimated,
    long count,
    Duration oldest) {

  private static final int MOST_IN_A_MESSAGE = 3;

  /** The sum of their sizes, in bytes. */
  public long totalBytes() {
    return sizeBytes * count;
  }

  /** Count, size, age, place, and the age of the oldest. */
  @Override
  public String toString() {
    return (isEstimated ? "~" : "")
        + count
        + " x "
        + sizeBytes
        + " B "
        + age
        + (isLost ? " lost" : "")
        + (isEnded ? " ended" : "")
        + (isLost || isEnded ? ", from " : " from ")
        + place
        + ", oldest "
        + oldest.toSeconds()
        + " s";
  }

  /** For messages: those with most bytes, and how many more groups there are. */
  static String inMessage(List<OpenBuffers> groups) {
    if (groups.isEmpty()) {
      return "";
    }
    int count = Math.min(groups.size(), MOST_IN_A_MESSAGE);
    int rest = groups.size() - count;
    return ", openBuffers="
        + groups.subList(0, count)
        + (rest == 0 ? "" : " and " + rest + " more groups");
  }
}
