package dev.arenal.bench.tables;

import dev.arenal.lab.figure.Comparison;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The figures of JMH as Markdown, with ratios against the first of ours: {@code x 10} means that it
 * takes ten times as long. A ratio says so where its difference lies within the error.
 *
 * <p>A benchmark without parameters is a table with a row for each contender; one with parameters
 * has a row for each setting and a column for each contender.
 */
final class JmhTables {
  /** The names of the contenders, in the order to show them. */
  private static final Map<String, String> TITLES = new LinkedHashMap<>();

  static {
    TITLES.put("elasticConfined", "elastic, confined");
    TITLES.put("elasticShared", "elastic, shared");
    TITLES.put("elasticReset", "elastic, reset");
    TITLES.put("pages", "page allocator");
    TITLES.put("pagesConfined", "pages, confined");
    TITLES.put("pagesShared", "pages, shared");
    TITLES.put("mallocFree", "malloc + free");
    TITLES.put("mallocFreeCritical", "malloc + free, critical");
    TITLES.put("callocFree", "calloc + free, zeroed");
    TITLES.put("jdkConfined", "Arena.ofConfined()");
    TITLES.put("jdkShared", "Arena.ofShared()");
    TITLES.put("slicing", "slices, never freed");
    TITLES.put("control", "control: no allocation");
  }

  private static final List<String> ORDER = List.copyOf(TITLES.keySet());

  private JmhTables() {}

  /** One section for each benchmark class. */
  static String sections(List<JmhResult> results) {
    Map<String, List<JmhResult>> groups =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    JmhResult::group, LinkedHashMap::new, Collectors.toUnmodifiableList()));
    StringBuilder text = new StringBuilder();
    groups.forEach((group, figures) -> {
      boolean ladder = figures.stream().anyMatch(figure -> !figure.params().isEmpty());
      text.append("\n## ").append(group).append("\n\n");
      text.append(ladder ? ladder(figures) : contenders(figures));
    });
    return text.toString();
  }

  /** The contenders of two benchmarks side by side, time and ratio of each; for README. */
  static String sideBySide(List<JmhResult> results, Map<String, String> titlesOfGroups) {
    List<String> titles = new ArrayList<>(List.of("ns per block"));
    titlesOfGroups.values().forEach(title -> titles.addAll(List.of(title, "×", "B/op")));
    Table table = table(titles);
    for (String contender : contendersOf(results)) {
      List<String> row = new ArrayList<>(List.of(title(contender)));
      for (String group : titlesOfGroups.keySet()) {
        List<JmhResult> figures =
            results.stream().filter(figure -> figure.group().equals(group)).toList();
        row.add(Figures.number(figure(figures, contender, JmhResult::score)));
        row.add(ratio(figures, contender));
        row.add(Figures.number(figure(figures, contender, JmhResult::bytesPerOp)));
      }
      table.row(row);
    }
    return table.markdown();
  }

  private static String contenders(List<JmhResult> figures) {
    String baseline = baseline(figures);
    String unit = figures.getFirst().unit();
    Table table =
        table(List.of("contender", unit, "± 99.9 %", "× " + title(baseline), "B/op, Java heap"));
    for (String contender : contendersOf(figures)) {
      table.row(
          List.of(
              title(contender),
              Figures.number(figure(figures, contender, JmhResult::score)),
              Figures.number(figure(figures, contender, JmhResult::error)),
              ratio(figures, contender),
              Figures.number(figure(figures, contender, JmhResult::bytesPerOp))));
    }
    return table.markdown();
  }

  private static String ladder(List<JmhResult> figures) {
    String baseline = baseline(figures);
    List<String> contenders = contendersOf(figures);
    String unit = figures.getFirst().unit();
    String params = String.join(", ", figures.getFirst().params().keySet());
    List<String> titles = new ArrayList<>(List.of(params));
    contenders.forEach(contender -> titles.add(title(contender)));
    titles.add(title(baseline) + ", B/op");
    Table table = table(titles);
    for (Map<String, String> setting : settingsOf(figures)) {
      List<JmhResult> rung =
          figures.stream().filter(figure -> figure.params().equals(setting)).toList();
      List<String> row = new ArrayList<>(List.of(String.join(", ", setting.values())));
      for (String contender : contenders) {
        double score = figure(rung, contender, JmhResult::score);
        String ratio = contender.equals(baseline) ? "" : " (× " + ratio(rung, contender) + ")";
        row.add(Figures.number(score) + (Double.isNaN(score) ? "" : ratio));
      }
      row.add(Figures.number(figure(rung, baseline, JmhResult::bytesPerOp)));
      table.row(row);
    }
    return unit
        + "; in brackets against "
        + title(baseline)
        + ", ≈ 1 where the difference lies within the error.\n\n"
        + table.markdown();
  }

  /** JMH sorts numbers of threads by the name of a class; here they rise. */
  private static List<Map<String, String>> settingsOf(List<JmhResult> figures) {
    Set<Map<String, String>> settings = new LinkedHashSet<>();
    figures.forEach(figure -> settings.add(figure.params()));
    Comparator<Map<String, String>> byThreads =
        Comparator.comparingInt(
            params -> Integer.parseInt(params.getOrDefault(JmhResult.THREADS, "0")));
    return settings.stream().sorted(byThreads).toList();
  }

  private static List<String> contendersOf(List<JmhResult> figures) {
    Comparator<String> byOrder =
        Comparator.comparingInt(
            contender -> ORDER.contains(contender) ? ORDER.indexOf(contender) : ORDER.size());
    return figures.stream().map(JmhResult::contender).distinct().sorted(byOrder).toList();
  }

  /** The baseline of all others: the first of ours that is there. */
  private static String baseline(List<JmhResult> figures) {
    return contendersOf(figures).stream().findFirst().orElse("");
  }

  private static String title(String contender) {
    return TITLES.getOrDefault(contender, contender);
  }

  /** NaN where it was not measured. */
  private static double figure(
      List<JmhResult> figures, String contender, ToDoubleFunction<JmhResult> figure) {
    return figures.stream()
        .filter(one -> one.contender().equals(contender))
        .mapToDouble(figure)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Table table(List<String> titles) {
    Table table = new Table();
    titles.forEach(table::column);
    return table;
  }

  /** Against the baseline, which has no error against itself. */
  private static String ratio(List<JmhResult> figures, String contender) {
    String baseline = baseline(figures);
    if (contender.equals(baseline)) {
      return Double.isNaN(figure(figures, contender, JmhResult::score))
          ? Figures.NONE
          : Figures.number(1.0);
    }
    return new Comparison(
            figure(figures, contender, JmhResult::score),
            figure(figures, contender, JmhResult::error),
            figure(figures, baseline, JmhResult::score),
            figure(figures, baseline, JmhResult::error))
        .times();
  }
}
