package dev.arenal.bench.tables;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.ConfinedClaims;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.confined.Verdict;
import dev.arenal.lab.confined.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures of confined arenas as Markdown: their page, and a small table for README. */
final class ConfinedTables {
  private static final String PICTURE_TEXT = "Time of an arena over its size, by factory";

  private final ConfinedFigures figures;

  private ConfinedTables(ConfinedFigures figures) {
    this.figures = figures;
  }

  /** The page without its head. */
  static String sections(ConfinedFigures figures) {
    return new ConfinedTables(figures).sections();
  }

  /** What README has to say: the claimed shapes, the JDK's arena and ours. */
  static String summary(ConfinedFigures figures, String picture) {
    return "![%s](%s)\n\n%s"
        .formatted(PICTURE_TEXT, picture, new ConfinedTables(figures).summary());
  }

  private String sections() {
    StringBuilder text = new StringBuilder();
    text.append("\nTimes are those of a whole arena, open to close, in ns: medians of the");
    text.append(" iterations of JMH. ± is half of the 99.9 % confidence interval; B/op are bytes");
    text.append(" on the Java heap.\n");
    text.append("\n## What was to be shown\n\n").append(claims());
    text.append("\n## One allocation, by size\n\n");
    text.append("![%s](../../images/confined.svg)\n\n".formatted(PICTURE_TEXT));
    text.append(means()).append("\n");
    text.append(times(rows(false, true)));
    append(text, "Other shapes, platform thread", rows(false, false));
    append(text, "Virtual thread", figures.rows(true));
    text.append("\n## Contenders\n\n").append(contenders());
    return text.toString();
  }

  private void append(StringBuilder text, String heading, List<ConfinedCell> rows) {
    if (!rows.isEmpty()) {
      text.append("\n## ").append(heading).append("\n\n").append(times(rows));
    }
  }

  private List<ConfinedCell> rows(boolean isVirtual, boolean isOneAllocation) {
    return figures.rows(isVirtual).stream()
        .filter(row -> (row.shape() == Shape.ONE) == isOneAllocation)
        .toList();
  }

  private String claims() {
    MarkdownTable table =
        new MarkdownTable(
            List.of("against Arena.ofConfined()", "the original's claim", "wanted", "here", ""));
    for (Verdict verdict : ConfinedClaims.verdicts(figures.all())) {
      table.row(
          List.of(
              verdict.what(),
              verdict.original(),
              verdict.wanted(),
              verdict.shown().isEmpty() ? Figures.NONE : verdict.shown(),
              verdict.outcome() == Outcome.REACHED
                  ? verdict.outcome().label()
                  : "**" + verdict.outcome().label() + "**"));
    }
    return table.text();
  }

  /** The mean over small sizes: of all that the pair has, and of those that everybody has. */
  private String means() {
    List<Integer> ofPair = figures.commonSmallSizes(Factory.PAIR);
    List<Integer> ofAll = figures.commonSmallSizes(figures.factories());
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "mean of 0 to 64 bytes, ns",
                "%d sizes".formatted(ofPair.size()),
                "%d sizes, all factories".formatted(ofAll.size())));
    for (Factory factory : figures.factories()) {
      table.row(
          List.of(
              factory.title(),
              Factory.PAIR.contains(factory)
                  ? Figures.number(figures.mean(factory, ofPair))
                  : Figures.NONE,
              Figures.number(figures.mean(factory, ofAll))));
    }
    return table.text();
  }

  private String times(List<ConfinedCell> rows) {
    List<Factory> factories = figures.factories();
    List<String> titles = new ArrayList<>(List.of("shape", "bytes"));
    for (Factory factory : factories) {
      titles.add(factory.label());
      if (Factory.PAIR.contains(factory)) {
        titles.add("±");
      }
    }
    titles.addAll(List.of("jdk / pooled", "jdk, B/op", "pooled, B/op"));
    MarkdownTable table = new MarkdownTable(titles);
    for (ConfinedCell row : rows) {
      List<String> cells = new ArrayList<>();
      cells.add(row.shape().title());
      cells.add(String.format(Locale.ROOT, "%,d", row.sizeBytes()));
      for (Factory factory : factories) {
        ConfinedCell cell = ConfinedFigures.with(row, factory);
        cells.add(Figures.number(figures.nanos(cell)));
        if (Factory.PAIR.contains(factory)) {
          cells.add(Figures.number(figures.error(cell)));
        }
      }
      cells.add(ratio(row));
      cells.add(heapBytes(row, Factory.JDK));
      cells.add(heapBytes(row, Factory.POOLED));
      table.row(cells);
    }
    return table.text();
  }

  private String ratio(ConfinedCell row) {
    double pooled = figures.nanos(ConfinedFigures.with(row, Factory.POOLED));
    double ratio = figures.nanos(ConfinedFigures.with(row, Factory.JDK)) / pooled;
    return Double.isNaN(ratio) ? Figures.NONE : String.format(Locale.ROOT, "%.1f", ratio);
  }

  private String heapBytes(ConfinedCell row, Factory factory) {
    double bytes = figures.heapBytes(ConfinedFigures.with(row, factory));
    return Double.isNaN(bytes) ? Figures.NONE : Figures.plain(bytes);
  }

  private String summary() {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "an arena, open to close",
                Factory.JDK.title() + ", ns",
                Factory.POOLED.title() + ", ns",
                "times"));
    for (int sizeBytes : new int[] {5, 20}) {
      summaryRow(table, sizeBytes + " bytes", cell(Shape.ONE, sizeBytes, false));
    }
    List<Integer> sizes = figures.commonSmallSizes(Factory.PAIR);
    double jdk = figures.mean(Factory.JDK, sizes);
    double pooled = figures.mean(Factory.POOLED, sizes);
    if (!sizes.isEmpty()) {
      String what = "mean of %d sizes, 0 to 64 bytes".formatted(sizes.size());
      table.row(
          List.of(
              what,
              Figures.number(jdk),
              Figures.number(pooled),
              String.format(Locale.ROOT, "%.1f", jdk / pooled)));
    }
    for (int sizeBytes : new int[] {100, 500, 2000, 8000}) {
      String what = String.format(Locale.ROOT, "%,d bytes", sizeBytes);
      summaryRow(table, what, cell(Shape.ONE, sizeBytes, false));
    }
    summaryRow(table, "four times 16 bytes", cell(Shape.FOUR, 16, false));
    summaryRow(table, Shape.NONE.title(), cell(Shape.NONE, 0, false));
    summaryRow(table, "strlen of 20 characters", cell(Shape.STRLEN, 20, false));
    summaryRow(table, "20 bytes, virtual thread", cell(Shape.ONE, 20, true));
    return table.text();
  }

  private void summaryRow(MarkdownTable table, String what, ConfinedCell row) {
    double jdk = figures.nanos(row);
    double pooled = figures.nanos(ConfinedFigures.with(row, Factory.POOLED));
    if (!Double.isNaN(jdk) && !Double.isNaN(pooled)) {
      table.row(List.of(what, Figures.number(jdk), Figures.number(pooled), ratio(row)));
    }
  }

  private static ConfinedCell cell(Shape shape, int sizeBytes, boolean isVirtual) {
    return new ConfinedCell(shape, sizeBytes, isVirtual, Factory.JDK);
  }

  private String contenders() {
    MarkdownTable table =
        new MarkdownTable(List.of("name", "what", "in its favour", "to its disadvantage"));
    for (Factory factory : figures.factories()) {
      table.row(
          switch (factory) {
            case JDK -> row(factory, "none", "none");
            case POOLED -> row(factory, "small allocations, one arena at a time", "none");
            case MALLOC ->
                row(factory, "none", "two downcalls a block, and a clean-up object for each");
            case SLICING ->
                row(
                    factory,
                    "no scope ends: what is kept after close shows other data",
                    "a stack: arenas must be closed in order; zeroed at allocation");
            case LWJGL ->
                row(
                    factory,
                    "addresses without bounds or lifetime; strlen by JNI",
                    "looks its stack up in a thread local; zeroed at allocation");
            case CONTROL -> row(factory, "not an allocator: always the same memory", "none");
          });
    }
    return table.text();
  }

  private static List<String> row(Factory factory, String good, String bad) {
    return List.of(factory.label(), factory.title(), good, bad);
  }
}
