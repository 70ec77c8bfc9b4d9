package dev.arenal.stats;

import java.util.function.Function;

/** The layout of ZGC's {@code gc,stats} table, to the column. */
final class TableText {
  static final int GROUP_COLUMNS = 10;
  static final int ROW_COLUMNS = 41;
  private static final int FIGURE_COLUMNS = 9;

  private static final int COLUMNS = 153;
  private static final String MARGIN = " ".repeat(61);

  private TableText() {}

  static String of(StatisticsTable table) {
    StringBuilder text = new StringBuilder();
    text.append(title(table)).append('\n');
    text.append(MARGIN)
        .append("Last 10s              Last 10m              Last 10h                Total\n");
    text.append(MARGIN)
        .append("Avg / Max             Avg / Max             Avg / Max             Avg / Max\n");
    for (StatisticsRow row : table.rows()) {
      appendRow(text, row);
    }
    return text.append("=".repeat(COLUMNS)).toString();
  }

  /** A long name moves the end of the line rather than being cut: it is what tells tables apart. */
  private static String title(StatisticsTable table) {
    String title = "=== Memory Statistics: " + printable(table.kind() + " " + table.name()) + " ";
    return title + "=".repeat(Math.max(3, COLUMNS - title.length()));
  }

  private static void appendRow(StringBuilder text, StatisticsRow row) {
    appendRight(text.append(' '), row.group(), GROUP_COLUMNS).append(": ");
    appendLeft(text, row.row(), ROW_COLUMNS).append(' ');
    append(text, row, StatisticsRow::last10s).append(' ');
    append(text, row, StatisticsRow::last10m).append(' ');
    append(text, row, StatisticsRow::last10h).append(' ');
    append(text, row, StatisticsRow::total).append("   ").append(row.unit().symbol()).append('\n');
  }

  private static StringBuilder append(
      StringBuilder text, StatisticsRow row, Function<StatisticsRow, Window> which) {
    Window window = which.apply(row);
    appendRight(text, row.unit().format(window.average()), FIGURE_COLUMNS).append(" / ");
    return appendLeft(text, row.unit().format(window.max()), FIGURE_COLUMNS);
  }

  private static StringBuilder appendRight(StringBuilder text, String value, int columns) {
    return text.repeat(' ', Math.max(0, columns - value.length())).append(value);
  }

  private static StringBuilder appendLeft(StringBuilder text, String value, int columns) {
    return text.append(value).repeat(' ', Math.max(0, columns - value.length()));
  }

  /** Names are the program's own; one with a line break must not look like a row. */
  private static String printable(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }
}
