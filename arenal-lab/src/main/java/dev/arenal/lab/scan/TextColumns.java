package dev.arenal.lab.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rows with aligned columns: words to the left, figures to the right. */
final class TextColumns {
  private static final String GAP = "  ";

  private final Set<Integer> figures;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param figures the columns with figures
   */
  TextColumns(Set<Integer> figures) {
    this.figures = figures;
  }

  void row(List<String> cells) {
    rows.add(cells);
  }

  /** Without spaces at the ends of lines. */
  List<String> lines() {
    int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String padding = " ".repeat(widths[i] - row.get(i).length());
      line.append(i == 0 ? "" : GAP);
      line.append(figures.contains(i) ? padding + row.get(i) : row.get(i) + padding);
    }
    return line.toString().stripTrailing();
  }

  /** The same in Markdown; the first row heads the columns. */
  List<String> markdown() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add("| " + String.join(" | ", row) + " |");
      if (lines.size() == 1) {
        StringBuilder rule = new StringBuilder("|");
        for (int i = 0; i < row.size(); i++) {
          rule.append(figures.contains(i) ? "---:|" : "---|");
        }
        lines.add(rule.toString());
      }
    }
    return lines;
  }
}
