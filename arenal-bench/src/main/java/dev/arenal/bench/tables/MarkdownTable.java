package dev.arenal.bench.tables;

import java.util.ArrayList;
import java.util.List;

/** A table whose first column is text and whose others are figures, aligned in the source too. */
final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  MarkdownTable(List<String> titles) {
    rows.add(List.copyOf(titles));
  }

  void row(List<String> cells) {
    int countColumns = rows.getFirst().size();
    if (cells.size() != countColumns) {
      throw new IllegalArgumentException(
          "row does not fit the table: cells=%d (expected %d)"
              .formatted(cells.size(), countColumns));
    }
    rows.add(List.copyOf(cells));
  }

  /** The lines, each with its line end. */
  String text() {
    int[] widths = widths();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      appendRow(text, rows.get(i), widths);
      if (i == 0) {
        appendRule(text, widths);
      }
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(Math.max(3, widths[column]), row.get(column).length());
      }
    }
    return widths;
  }

  private static void appendRow(StringBuilder text, List<String> row, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      String cell = row.get(column);
      String padding = " ".repeat(widths[column] - cell.length());
      text.append("| ").append(column == 0 ? cell + padding : padding + cell).append(' ');
    }
    text.append("|\n");
  }

  private static void appendRule(StringBuilder text, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      text.append('|').append("-".repeat(widths[column] + 1)).append(column == 0 ? '-' : ':');
    }
    text.append("|\n");
  }
}
