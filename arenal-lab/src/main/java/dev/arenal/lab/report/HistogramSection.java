package dev.arenal.lab.report;

import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import dev.arenal.agent.histogram.HistogramData.Row;
import dev.arenal.lab.histogram.MergedRuns;
import dev.arenal.lab.histogram.Recommendation;
import dev.arenal.lab.histogram.RecordedRun;
import dev.arenal.lab.histogram.TextBars;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What confined arenas allocated, as a section of the report and as tables for a terminal. */
public final class HistogramSection {
  private static final int COUNT_EXACT = 64;

  private HistogramSection() {}

  /** Everything there is to show about these runs. */
  public static Section of(MergedRuns merged) {
    String sentence = Recommendation.of(merged.data()).sentence();
    return new Section(
        "histogram",
        "What confined arenas allocate",
        sentence,
        merged.json(),
        html(merged),
        List.of(sentence),
        List.of());
  }

  /** What pools of each size would do, as lines for a terminal. */
  public static List<String> poolLines(HistogramData data) {
    return pools(data).lines();
  }

  /** What each run had, as lines for a terminal. */
  public static List<String> runLines(MergedRuns merged) {
    return runs(merged).lines();
  }

  private static String html(MergedRuns merged) {
    HistogramData data = merged.data();
    StringBuilder html = new StringBuilder();
    html.append("<div class=\"grid\">\n");
    List<Bucket> buckets = data.buckets();
    List<String> labels = buckets.stream().map(TextBars::label).toList();
    html.append(
        ColumnChart.figure(
            "Arenas by size", labels, buckets.stream().map(Bucket::arenas).toList()));
    html.append(
        ColumnChart.figure(
            "Bytes by size of their arena", labels, buckets.stream().map(Bucket::bytes).toList()));
    List<String> sizes = new ArrayList<>();
    List<Long> exact = new ArrayList<>();
    for (int bytes = 0; bytes < COUNT_EXACT; bytes++) {
      sizes.add(bytes + " B");
      exact.add(data.arenasOfExactly(bytes));
    }
    html.append(ColumnChart.figure("Arenas of 0 to 63 bytes", sizes, exact));
    html.append("</div>\n<h3>By size</h3>\n").append(sizes(data).html());
    html.append("<h3>What a pool would serve</h3>\n").append(pools(data).html());
    html.append("<h3>Runs</h3>\n").append(runs(merged).html());
    return html.toString();
  }

  private static TextTable sizes(HistogramData data) {
    TextTable table =
        new TextTable()
            .column("", "size")
            .column("arenas", "count")
            .column("arenas", "share")
            .column("bytes", "sum")
            .column("bytes", "share");
    for (Row row : data.table()) {
      table.row(
          List.of(
              row.label(),
              Figures.count(row.arenas()),
              share(row.arenas(), data.arenasClosed()),
              Figures.count(row.bytes()),
              share(row.bytes(), data.bytes())));
    }
    return table;
  }

  private static TextTable pools(HistogramData data) {
    TextTable table =
        new TextTable()
            .column("", "pool")
            .column("arenas served whole", "count")
            .column("arenas served whole", "share")
            .column("allocations served", "count")
            .column("allocations served", "share");
    for (PoolShare pool : data.pools()) {
      table.row(
          List.of(
              Figures.count(pool.sizeBytes()) + " B",
              Figures.count(pool.arenas()),
              share(pool.arenas(), data.arenasClosed()),
              Figures.count(pool.allocations()),
              share(pool.allocations(), data.allocations())));
    }
    return table;
  }

  private static TextTable runs(MergedRuns merged) {
    TextTable table =
        new TextTable()
            .column("", "file")
            .column("", "program")
            .column("arenas", "closed")
            .column("arenas", "not closed")
            .column("", "bytes");
    for (RecordedRun run : merged.runs()) {
      table.row(
          List.of(
              run.file(),
              run.program(),
              Figures.count(run.data().arenasClosed()),
              Figures.count(run.data().arenasNotClosed()),
              Figures.count(run.data().bytes())));
    }
    return table;
  }

  private static String share(long part, long whole) {
    return whole == 0
        ? Figures.NONE
        : String.format(Locale.ROOT, "%.3f %%", Recommendation.percent(part, whole));
  }
}
