package dev.arenal.lab.report;

import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.Row;
import dev.arenal.lab.figure.ColumnChart;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.histogram.MergedRuns;
import dev.arenal.lab.histogram.Recommendation;
import dev.arenal.lab.histogram.RecordedRun;
import dev.arenal.lab.histogram.TextBars;
import java.util.List;
import java.util.stream.IntStream;

/** Allocations of confined arenas, as a section of the report and as tables for a terminal. */
public final class HistogramSection {
  private static final int COUNT_EXACT = 64;

  private HistogramSection() {}

  /** Everything there is to show about these runs. */
  public static Section of(MergedRuns merged) {
    String sentence = Recommendation.of(merged.data()).sentence();
    return new Section(
        "histogram",
        "Allocations of confined arenas",
        sentence,
        merged.json(),
        parts(merged),
        List.of(sentence),
        List.of());
  }

  /** The effect of pools of each size, as lines for a terminal. */
  public static List<String> poolLines(HistogramData data) {
    return pools(data).lines();
  }

  /** The figures of each run, as lines for a terminal. */
  public static List<String> runLines(MergedRuns merged) {
    return runs(merged).lines();
  }

  private static List<Part> parts(MergedRuns merged) {
    HistogramData data = merged.data();
    List<Bucket> buckets = data.buckets();
    List<String> labels = buckets.stream().map(TextBars::label).toList();
    List<Part> charts =
        List.of(
            new ColumnChart(
                "Arenas by size", labels, buckets.stream().map(Bucket::arenas).toList()),
            new ColumnChart(
                "Bytes by size of their arena",
                labels,
                buckets.stream().map(Bucket::bytes).toList()),
            new ColumnChart(
                "Arenas of 0 to 63 bytes",
                IntStream.range(0, COUNT_EXACT).mapToObj(bytes -> bytes + " B").toList(),
                IntStream.range(0, COUNT_EXACT).mapToObj(data::arenasOfExactly).toList()));
    return List.of(
        new Part.Group(Part.Layout.GRID, "", "", charts),
        new Part.Heading("By size"),
        sizes(data),
        new Part.Heading("Allocations that a pool would serve"),
        pools(data),
        new Part.Heading("Runs"),
        runs(merged));
  }

  private static Table sizes(HistogramData data) {
    return Table.of(data.table())
        .column("size", Row::label)
        .column("arenas", "count", row -> Figures.count(row.arenas()))
        .column("arenas", "share", row -> share(row.arenas(), data.arenasClosed()))
        .column("bytes", "sum", row -> Figures.count(row.bytes()))
        .column("bytes", "share", row -> share(row.bytes(), data.bytes()))
        .table();
  }

  private static Table pools(HistogramData data) {
    return Table.of(data.pools())
        .column("pool", pool -> Figures.count(pool.sizeBytes()) + " B")
        .column("arenas served whole", "count", pool -> Figures.count(pool.arenas()))
        .column("arenas served whole", "share", p -> share(p.arenas(), data.arenasClosed()))
        .column("allocations served", "count", pool -> Figures.count(pool.allocations()))
        .column("allocations served", "share", p -> share(p.allocations(), data.allocations()))
        .table();
  }

  private static Table runs(MergedRuns merged) {
    return Table.of(merged.runs())
        .column("file", RecordedRun::file)
        .column("program", RecordedRun::program)
        .column("arenas", "closed", run -> Figures.count(run.data().arenasClosed()))
        .column("arenas", "not closed", run -> Figures.count(run.data().arenasNotClosed()))
        .column("bytes", run -> Figures.count(run.data().bytes()))
        .table();
  }

  private static String share(long part, long whole) {
    return whole == 0
        ? Figures.NONE
        : Figures.format("%.3f %%", Recommendation.percent(part, whole));
  }
}
