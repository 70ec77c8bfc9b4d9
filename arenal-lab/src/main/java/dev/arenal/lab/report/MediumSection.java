package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.medium.MediumClaims;
import dev.arenal.lab.medium.MediumFigure;
import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumPlan;
import dev.arenal.lab.medium.MediumResult;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Measurements of medium pages as a section of the report. */
public record MediumSection(MediumMeasurement measurement) {
  private static final String NAME = "medium";
  private static final String TITLE = "Medium pages";
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MIB = 1 << 20;

  /** From here on digits behind the point say nothing. */
  private static final double LARGE = 100;

  /** Everything there is to show about these figures. */
  public static Section of(MediumMeasurement measurement) {
    MediumSection section = new MediumSection(measurement);
    return new Section(
        NAME,
        TITLE,
        section.headline(),
        Json.tree(measurement),
        section.parts(),
        section.findings(),
        measurement.failures());
  }

  /** A section that says why there is nothing to show; nothing has failed. */
  public static Section without(MediumPlan plan, String reason) {
    return Section.without(
        NAME,
        TITLE,
        new MediumMeasurement(plan, List.of(), List.of()),
        "Medium pages were not measured: " + reason);
  }

  private String headline() {
    return measurement.hasBoth()
        ? Figures.format(
            "With a refill by every thread %,d pages are undone in %s, with a refill by one thread"
                + " %,d in %s; 99.9 %% of the medium buffers take at most %,.0f µs and %,.0f µs.",
            undoneCount(false),
            runs(false),
            undoneCount(true),
            runs(true),
            MediumClaims.reportedNanos(measurement, false) / NANOS_PER_MICRO,
            MediumClaims.reportedNanos(measurement, true) / NANOS_PER_MICRO)
        : "";
  }

  private String runs(boolean isSynchronized) {
    int count = measurement.of(isSynchronized).size();
    return count == 1 ? "1 run" : count + " runs";
  }

  private long undoneCount(boolean isSynchronized) {
    return measurement.of(isSynchronized).stream()
        .mapToLong(result -> result.undone().total())
        .sum();
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    if (measurement.hasBoth()) {
      findings.add(headline());
    }
    findings.addAll(Claims.sentence("Medium pages", MediumClaims.of(measurement)));
    return findings;
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      return parts;
    }
    MediumPlan plan = measurement.plan();
    parts.add(
        new Part.Facts(
            NAME,
            "%d threads, capacity %s MiB, medium pages of %s MiB, %d s each run"
                .formatted(
                    plan.threadCount(),
                    Figures.mebibytes(plan.capacityBytes()),
                    Figures.mebibytes(plan.mediumPageBytes()),
                    plan.seconds())));
    parts.add(
        new Part.Explanation(
            "Threads allocate buffers of up to an eighth of a medium page from one allocator,"
                + " write them, and free them in waves, as a garbage collector does. When the"
                + " shared page is full, either every thread that finds it so takes a new one"
                + " (unsynchronized), or one does and the others wait (synchronized)."));
    parts.addAll(MediumCharts.of(measurement));
    parts.add(
        new Part.Group(
            Part.Layout.FOLDED,
            "",
            "Statistics of each run",
            IntStream.range(0, measurement.results().size())
                .mapToObj(i -> statistics(i + 1, measurement.results().get(i)))
                .toList()));
    if (measurement.hasBoth()) {
      parts.add(new Part.Heading("Means and highest values of the runs of each variant"));
      parts.add(table());
    }
    parts.addAll(
        Claims.parts(
            "Against what was reported for ZGC (JDK-8339387), without -> with",
            MediumClaims.of(measurement)));
    return parts;
  }

  private static Part.Listing statistics(int run, MediumResult result) {
    return new Part.Listing(
        "run %d, %s refill".formatted(run, result.variant()), "", result.table());
  }

  /** A row of a figure of both variants. */
  private record Row(String name, double without, double with) {}

  /** A row for each figure, both variants, and how many times the second is the first. */
  private Table table() {
    List<Row> rows = new ArrayList<>();
    Function<MediumResult, Double> buffers = r -> r.allocationCount() / r.seconds();
    rows.add(mean("buffers a second", buffers));
    add(rows, "allocation rate, MB/s", MIB, MediumResult::allocated);
    add(rows, "page allocation rate, MB/s", MIB, MediumResult::pages);
    add(rows, "undo page allocation, ops/s", 1, MediumResult::undone);
    add(rows, "page cache flush, MB/s", MIB, MediumResult::flushed);
    add(rows, "defragment, ops/s", 1, MediumResult::defragmented);
    rows.add(waited("p50", histogram -> histogram.getValueAtPercentile(50)));
    rows.add(waited("p99", histogram -> histogram.getValueAtPercentile(99)));
    rows.add(waited("p99.9", histogram -> histogram.getValueAtPercentile(99.9)));
    rows.add(waited("max", Histogram::getMaxValue));
    return Table.of(rows)
        .column("figure", Row::name)
        .column(MediumResult.variant(false), row -> number(row.without()))
        .column(MediumResult.variant(true), row -> number(row.with()))
        .column("ratio", MediumSection::ratio)
        .table();
  }

  private void add(
      List<Row> rows, String name, double divisor, Function<MediumResult, MediumFigure> figure) {
    rows.add(mean(name + ", avg", result -> figure.apply(result).average() / divisor));
    rows.add(
        new Row(
            name + ", max",
            measurement.max(false, result -> figure.apply(result).max()) / divisor,
            measurement.max(true, result -> figure.apply(result).max()) / divisor));
  }

  private Row mean(String name, Function<MediumResult, Double> figure) {
    return new Row(
        name, measurement.mean(false, figure::apply), measurement.mean(true, figure::apply));
  }

  private Row waited(String name, Function<Histogram, Long> nanos) {
    return new Row(
        "medium buffer, us, " + name,
        nanos.apply(measurement.latencies(false)) / NANOS_PER_MICRO,
        nanos.apply(measurement.latencies(true)) / NANOS_PER_MICRO);
  }

  private static String ratio(Row row) {
    return row.without() == 0 ? Figures.NONE : Figures.format("%.2fx", row.with() / row.without());
  }

  private static String number(double value) {
    boolean isPlain = value >= LARGE || value == Math.rint(value);
    return Figures.format(isPlain ? "%,.0f" : "%.2f", value);
  }
}
