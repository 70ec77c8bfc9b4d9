package dev.arenal.stats;

/**
 * One row of a {@link StatisticsTable}.
 *
 * @param group the group that it belongs to, such as "Memory"
 * @param row its name in the group
 * @param unit the unit of the values; bytes and nanoseconds are not divided here
 * @param last10s the last ten seconds
 * @param last10m the last ten minutes, and up to nine seconds more
 * @param last10h the last ten hours, and up to ten minutes more
 * @param total all samples of the row
 * @param pending the sum of the counts since the last sample, which are in none of the windows yet
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
  /** The sum of all counts up to the moment of the snapshot: the total and the pending counts. */
  public long sumEver() {
    long sum = total.sum() + pending;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }
}
