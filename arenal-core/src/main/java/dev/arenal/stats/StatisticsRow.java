package dev.arenal.stats;

/**
 * One row of a {@link StatisticsTable}.
 *
 * @param group the group that it belongs to, such as "Memory"
 * @param row its name in the group
 * @param unit the unit of the values; bytes and nanoseconds are not divided here
 * @param last10s the last ten seconds
 * @param last10m the last ten minutes, up to nine seconds more
 * @param last10h the last ten hours, up to ten minutes more
 * @param total all since the row exists
 * @param pending the sum of the counts since the last sample, which was taken less than a second
 *     ago; they are in none of the windows yet
 */
public record StatisticsRow(
    String group,
    String row,
    StatisticsUnit unit,
    Window last10s,
    Window last10m,
    Window last10h,
    Window total,
    long pending) {
  /**
   * All that was ever counted, up to the moment of the snapshot: the total and the pending counts.
   */
  public long sumEver() {
    long sum = total.sum() + pending;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
