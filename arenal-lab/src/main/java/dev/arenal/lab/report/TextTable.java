package dev.arenal.lab.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table for a terminal: the first column to the left, figures to the right, and above the column
 * names a line of headings that span neighbours of one group.
 */
final class TextTable {
  private static final String GAP = "  ";

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  private record Column(String group, String name) {}

  /** Adds a column; neighbours with the same group share one heading, an empty one has none. */
  TextTable column(String group, String name) {
    columns.add(new Column(group, name));
    return this;
  }

  void row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "row does not fit the table: countCells=%d (expected %d)"
              .formatted(cells.size(), columns.size()));
    }
    rows.add(List.copyOf(cells));
  }

  /**
   * The same as an HTML table in a box of its own. A heading cell spans its group, and the first
   * cell of a row heads the row. The script of the page adds a button that copies it.
   */
  String html() {
    StringBuilder html = new StringBuilder("<div class=\"table\"><table>\n<thead>");
    if (columns.stream().anyMatch(column -> !column.group().isEmpty())) {
      html.append("<tr>");
      for (int first = 0; first < columns.size(); first = groupEnd(first)) {
        html.append(groupCell(first));
      }
      html.append("</tr>\n");
    }
    html.append("<tr>");
    columns.forEach(column -> html.append(cell("th scope=\"col\"", column.name())));
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr>").append(cell("th scope=\"row\"", row.getFirst()));
      row.subList(1, row.size()).forEach(text -> html.append(cell("td", text)));
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  private String groupCell(int first) {
    String group = columns.get(first).group();
    return group.isEmpty()
        ? "<td></td>"
        : "<th scope=\"colgroup\" colspan=\"%d\">%s</th>"
            .formatted(groupEnd(first) - first, Markup.escape(group));
  }

  private static String cell(String element, String text) {
    String name = element.substring(0, 2);
    return "<%s>%s</%s>".formatted(element, Markup.escape(text), name);
  }

  /** The lines of the table, without trailing spaces. */
  List<String> lines() {
    int[] widths = widths();
    List<String> lines = new ArrayList<>();
    if (columns.stream().anyMatch(column -> !column.group().isEmpty())) {
      lines.add(groupLine(widths));
    }
    lines.add(line(columns.stream().map(Column::name).toList(), widths));
    for (List<String> row : rows) {
      lines.add(line(row, widths));
    }
    return lines;
  }

  private int[] widths() {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = columns.get(i).name().length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (int first = 0; first < widths.length; first = groupEnd(first)) {
      int missing = columns.get(first).group().length() - spanWidth(widths, first);
      widths[first] += Math.max(0, missing);
    }
    return widths;
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? cells.get(i) + padding : GAP + padding + cells.get(i));
    }
    return line.toString().stripTrailing();
  }

  private String groupLine(int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int first = 0; first < widths.length; first = groupEnd(first)) {
      String group = columns.get(first).group();
      int width = spanWidth(widths, first);
      line.append(first == 0 ? "" : GAP).append(centred(group, width));
    }
    return line.toString().stripTrailing();
  }

  /** Dashes to both sides show how far the heading reaches. */
  private static String centred(String text, int width) {
    int rest = width - text.length() - 2;
    if (text.isEmpty() || rest < 2) {
      return " ".repeat(width - text.length()) + text;
    }
    return "-".repeat(rest / 2) + " " + text + " " + "-".repeat(rest - rest / 2);
  }

  private int groupEnd(int first) {
    String group = columns.get(first).group();
    int end = first + 1;
    while (!group.isEmpty() && end < columns.size() && columns.get(end).group().equals(group)) {
      end++;
    }
    return end;
  }

  private int spanWidth(int[] widths, int first) {
    int width = 0;
    for (int i = first; i < groupEnd(first); i++) {
      width += widths[i] + (i == first ? 0 : GAP.length());
    }
    return width;
  }
}
