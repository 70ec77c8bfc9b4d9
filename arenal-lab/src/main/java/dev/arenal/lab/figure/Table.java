package dev.arenal.lab.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A table: the first column has words, others have figures unless they say otherwise. Neighbours of
 * one group share a heading above the names of columns.
 */
public final class Table implements Part {
  private static final String GAP = "  ";
  private static final int LEAST_MARKDOWN_WIDTH = 3;

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param group of neighbours that share a heading; empty where there is none
   * @param isWords whether it is aligned to the left
   */
  record Column(String group, String name, boolean isWords) {}

  /** Names that stand above neighbours: a group, and how many columns it spans. */
  record Span(String group, int first, int count) {}

  /** A table of things, a row for each, which is to be told its columns. */
  public static <T> Of<T> of(List<T> things) {
    return new Of<>(things);
  }

  /**
   * Columns of a table of things, each with what it says of a thing.
   *
   * @param <T> what has a row
   */
  public static final class Of<T> {
    private final List<T> things;
    private final Table table = new Table();
    private final List<Function<T, String>> cells = new ArrayList<>();

    private Of(List<T> things) {
      this.things = things;
    }

    /** Adds a column. */
    public Of<T> column(String name, Function<T, String> cell) {
      return column("", name, cell);
    }

    /** Adds a column below a heading that its neighbours of the same group share. */
    public Of<T> column(String group, String name, Function<T, String> cell) {
      table.column(group, name);
      cells.add(cell);
      return this;
    }

    /** Adds a column of words. */
    public Of<T> words(String name, Function<T, String> cell) {
      table.words(name);
      cells.add(cell);
      return this;
    }

    /** The table, with as many rows as there are things. */
    public Table table() {
      for (T thing : things) {
        table.row(cells.stream().map(cell -> cell.apply(thing)).toList());
      }
      return table;
    }
  }

  /** Adds a column. */
  public Table column(String name) {
    return column("", name);
  }

  /** Adds a column below a heading that its neighbours of the same group share. */
  public Table column(String group, String name) {
    columns.add(new Column(group, name, columns.isEmpty()));
    return this;
  }

  /** Adds a column of words. */
  public Table words(String name) {
    columns.add(new Column("", name, true));
    return this;
  }

  /** Adds a row of as many cells as there are columns. */
  public Table row(String... cells) {
    return row(List.of(cells));
  }

  /** Adds a row of as many cells as there are columns. */
  public Table row(List<String> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "row does not fit the table: cellCount=%d (expected %d)"
              .formatted(cells.size(), columns.size()));
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  List<Column> columns() {
    return columns;
  }

  List<List<String>> rows() {
    return rows;
  }

  boolean hasGroups() {
    return columns.stream().anyMatch(column -> !column.group().isEmpty());
  }

  /** The groups from left to right; what has none is one alone. */
  List<Span> spans() {
    List<Span> spans = new ArrayList<>();
    for (int first = 0; first < columns.size(); ) {
      String group = columns.get(first).group();
      int end = first + 1;
      while (!group.isEmpty() && end < columns.size() && columns.get(end).group().equals(group)) {
        end++;
      }
      spans.add(new Span(group, first, end - first));
      first = end;
    }
    return spans;
  }

  /** The lines of the table for a terminal, without trailing spaces. */
  public List<String> lines() {
    List<List<String>> cells =
        rows.stream().map(row -> row.stream().map(Plain::printable).toList()).toList();
    List<String> names = columns.stream().map(Column::name).toList();
    int[] widths = widths(names, cells);
    for (Span span : spans()) {
      widths[span.first()] += Math.max(0, span.group().length() - width(span, widths));
    }
    List<String> lines = new ArrayList<>();
    if (hasGroups()) {
      List<String> groups =
          spans().stream().map(span -> centred(span.group(), width(span, widths))).toList();
      lines.add(String.join(GAP, groups).stripTrailing());
    }
    if (names.stream().anyMatch(name -> !name.isEmpty())) {
      lines.add(String.join(GAP, padded(names, widths)).stripTrailing());
    }
    cells.forEach(row -> lines.add(String.join(GAP, padded(row, widths)).stripTrailing()));
    return lines;
  }

  /** The table for a document, aligned in the source too; groups stand before names. */
  public String markdown() {
    List<String> names =
        columns.stream()
            .map(column -> column.group().isEmpty() ? "" : column.group() + ": ")
            .toList();
    List<String> titles =
        IntStream.range(0, names.size())
            .mapToObj(i -> escaped(names.get(i) + columns.get(i).name()))
            .toList();
    List<List<String>> cells =
        rows.stream().map(row -> row.stream().map(Table::escaped).toList()).toList();
    int[] widths = widths(titles, cells);
    Arrays.setAll(widths, i -> Math.max(LEAST_MARKDOWN_WIDTH, widths[i]));
    StringBuilder text = new StringBuilder(markdownRow(titles, widths));
    for (int i = 0; i < widths.length; i++) {
      text.append('|').append("-".repeat(widths[i] + 1));
      text.append(columns.get(i).isWords() ? '-' : ':');
    }
    text.append("|\n");
    cells.forEach(row -> text.append(markdownRow(row, widths)));
    return text.toString();
  }

  private String markdownRow(List<String> cells, int[] widths) {
    return "| " + String.join(" | ", padded(cells, widths)) + " |\n";
  }

  /** Documents have the dash of typography for what does not exist. */
  private static String escaped(String cell) {
    return cell.equals(Figures.NONE) ? "–" : cell.replace("|", "\\|");
  }

  private int[] widths(List<String> names, List<List<String>> lines) {
    int[] widths = new int[columns.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = names.get(i).length();
      for (List<String> row : lines) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  private List<String> padded(List<String> cells, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(i -> {
          String padding = " ".repeat(widths[i] - cells.get(i).length());
          return columns.get(i).isWords() ? cells.get(i) + padding : padding + cells.get(i);
        })
        .toList();
  }

  private static int width(Span span, int[] widths) {
    int width = (span.count() - 1) * GAP.length();
    for (int i = span.first(); i < span.first() + span.count(); i++) {
      width += widths[i];
    }
    return width;
  }

  /** Dashes to both sides show how far the heading reaches. */
  private static String centred(String text, int width) {
    int rest = width - text.length() - 2;
    if (text.isEmpty() || rest < 2) {
      return " ".repeat(width - text.length()) + text;
    }
    return "-".repeat(rest / 2) + " " + text + " " + "-".repeat(rest - rest / 2);
  }
}
