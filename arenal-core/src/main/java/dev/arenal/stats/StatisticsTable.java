package dev.arenal.stats;

import java.util.List;
import java.util.Optional;

/**
 * The activity of a space or page allocator per second, over the last ten seconds, ten minutes and
 * ten hours and in total.
 *
 * <p>{@link #toString} has the layout of the table that ZGC logs as {@code gc,stats}: 153 columns,
 * with average and maximum of each window.
 *
 * @param kind the kind of owner that was recorded, such as "PageAllocator"
 * @param name its name
 * @param rows the rows by group, then name, then unit
 */
public record StatisticsTable(String kind, String name, List<StatisticsRow> rows) {
  /** Takes a copy of the rows. */
  public StatisticsTable {
    rows = List.copyOf(rows);
  }

  /** The row of that name, if there is one; the first of several that differ in their unit. */
  public Optional<StatisticsRow> row(String group, String row) {
    return rows.stream()
        .filter(candidate -> candidate.group().equals(group) && candidate.row().equals(row))
        .findFirst();
  }

  /** The row of that name and unit, if there is one. */
  public Optional<StatisticsRow> row(String group, String row, StatisticsUnit unit) {
    return rows.stream()
        .filter(candidate -> candidate.group().equals(group) && candidate.row().equals(row))
        .filter(candidate -> candidate.unit() == unit)
        .findFirst();
  }

  /** The table as lines of text, without a line break at the end. */
  @Override
  public String toString() {
    return TableText.of(this);
  }
}
