package dev.arenal.lab.medium;

import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;

/**
 * An allocator's statistics as figures of a run.
 *
 * <p>The highest second is that of the table. The average is over the time of the run: the table's
 * own is one over whole seconds, rounded down.
 */
final class MediumStatistics {
  private static final String GROUP = "Memory";

  private final StatisticsTable table;
  private final double seconds;

  MediumStatistics(StatisticsTable table, double seconds) {
    this.table = table;
    this.seconds = seconds;
  }

  MediumFigure figure(String name) {
    StatisticsRow row =
        table
            .row(GROUP, name)
            .orElseThrow(() ->
                new IllegalStateException(
                    "statistics have no such row: group=%s, row=%s".formatted(GROUP, name)));
    long total = row.sumEver();
    return new MediumFigure(total / seconds, row.total().max(), total);
  }
}
