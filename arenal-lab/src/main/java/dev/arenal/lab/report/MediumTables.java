package dev.arenal.lab.report;

import dev.arenal.lab.confined.Verdict;
import dev.arenal.lab.confined.Verdict.Outcome;
import dev.arenal.lab.medium.MediumClaims;
import dev.arenal.lab.medium.MediumFigure;
import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Measurements of medium pages as tables. */
public final class MediumTables {
  private static final double MIB = 1 << 20;
  private static final double NANOS_PER_MICRO = 1e3;

  /** From here on digits behind the point say nothing. */
  private static final double LARGE = 100;

  private final MediumMeasurement measurement;
  private final TextTable table;

  private MediumTables(MediumMeasurement measurement) {
    this.measurement = measurement;
    this.table =
        new TextTable()
            .column("", "figure")
            .column("", MediumResult.variant(false))
            .column("", MediumResult.variant(true))
            .column("", "ratio");
  }

  /** The statistics of each run, the figures side by side, and what is claimed of them. */
  public static List<String> lines(MediumMeasurement measurement) {
    if (measurement.results().isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "medium: %d threads, capacity %s MiB, medium pages of %s MiB, %d s each run"
            .formatted(
                measurement.plan().countThreads(),
                Figures.mebibytes(measurement.plan().capacityBytes()),
                Figures.mebibytes(measurement.plan().mediumPageBytes()),
                measurement.plan().seconds()));
    lines.add("");
    int run = 0;
    for (MediumResult result : measurement.results()) {
      run++;
      lines.add("run %d, %s refill:".formatted(run, result.variant()));
      result.table().lines().forEach(lines::add);
      lines.add("");
    }
    if (measurement.hasBoth()) {
      lines.add("means and highest values of the runs of each variant:");
      lines.addAll(figures(measurement).lines());
      lines.add("");
      lines.add("against what was reported for ZGC (JDK-8339387), without -> with:");
      lines.addAll(verdicts(measurement).lines());
      lines.add("");
    }
    return lines;
  }

  /** A row for each figure, both variants, and how many times the second is the first. */
  static TextTable figures(MediumMeasurement measurement) {
    MediumTables tables = new MediumTables(measurement);
    tables.add("buffers a second", result -> result.countAllocations() / result.seconds());
    tables.rows("allocation rate", "MB/s", MIB, MediumResult::allocated);
    tables.rows("page allocation rate", "MB/s", MIB, MediumResult::pages);
    tables.rows("undo page allocation", "ops/s", 1, MediumResult::undone);
    tables.rows("page cache flush", "MB/s", MIB, MediumResult::flushed);
    tables.rows("defragment", "ops/s", 1, MediumResult::defragmented);
    Histogram without = measurement.latencies(false);
    Histogram with = measurement.latencies(true);
    for (double percentile : new double[] {50, 99, 99.9}) {
      tables.row(
          "medium buffer, us, p" + (percentile == 99.9 ? "99.9" : Math.round(percentile)),
          without.getValueAtPercentile(percentile) / NANOS_PER_MICRO,
          with.getValueAtPercentile(percentile) / NANOS_PER_MICRO);
    }
    tables.row(
        "medium buffer, us, max",
        without.getMaxValue() / NANOS_PER_MICRO,
        with.getMaxValue() / NANOS_PER_MICRO);
    return tables.table;
  }

  /** A row for each claim. */
  static TextTable verdicts(MediumMeasurement measurement) {
    TextTable table =
        new TextTable()
            .column("", "claim")
            .column("", "original")
            .column("", "wanted")
            .column("", "here")
            .column("", "verdict");
    for (Verdict verdict : MediumClaims.verdicts(measurement)) {
      if (verdict.outcome() != Outcome.NOT_MEASURED) {
        table.row(
            List.of(
                verdict.what(),
                verdict.original(),
                verdict.wanted(),
                verdict.shown(),
                verdict.outcome().label()));
      }
    }
    return table;
  }

  private void rows(
      String name, String unit, double divisor, Function<MediumResult, MediumFigure> figure) {
    add(name + ", " + unit + ", avg", result -> figure.apply(result).average() / divisor);
    row(
        name + ", " + unit + ", max",
        measurement.max(false, result -> figure.apply(result).max()) / divisor,
        measurement.max(true, result -> figure.apply(result).max()) / divisor);
  }

  private void add(String name, Function<MediumResult, Double> figure) {
    row(name, measurement.mean(false, figure::apply), measurement.mean(true, figure::apply));
  }

  private void row(String name, double without, double with) {
    table.row(
        List.of(
            name,
            number(without),
            number(with),
            without == 0 ? Figures.NONE : String.format(Locale.ROOT, "%.2fx", with / without)));
  }

  private static String number(double value) {
    boolean isPlain = value >= LARGE || value == Math.rint(value);
    return String.format(Locale.ROOT, isPlain ? "%,.0f" : "%.2f", value);
  }
}
