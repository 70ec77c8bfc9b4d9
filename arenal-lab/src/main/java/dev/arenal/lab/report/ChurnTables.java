package dev.arenal.lab.report;

import dev.arenal.lab.buffers.ChurnClaims;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.ChurnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A churn as tables. */
public final class ChurnTables {
  private static final double MILLION = 1e6;

  private ChurnTables() {}

  /** The figures, and below them what is claimed, as lines for a terminal. */
  public static List<String> lines(ChurnMeasurement measurement) {
    List<String> lines = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      return lines;
    }
    lines.add("churn: " + what(measurement.plan()));
    lines.addAll(results(measurement).lines());
    lines.add("");
    if (!ChurnClaims.of(measurement).isEmpty()) {
      lines.addAll(ClaimTable.of(ChurnClaims.of(measurement)).lines());
      lines.add("");
    }
    return lines;
  }

  /** What was done, in a few words. */
  static String what(ChurnPlan plan) {
    return "%s random buffers replaced in each row, %s MiB live, sizes %s to %s around %s"
        .formatted(
            Figures.count(plan.countOperations()),
            Figures.mebibytes(plan.liveBytes()),
            size(plan.sizes().leastBytes()),
            size(plan.sizes().mostBytes()),
            size(plan.sizes().medianBytes()));
  }

  /** 4 KiB rather than 4096. */
  static String size(long bytes) {
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) {
      return (bytes >> 20) + " MiB";
    }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " B";
  }

  /** A row for each number of threads and allocator, the harness alone as the last. */
  static TextTable results(ChurnMeasurement measurement) {
    TextTable table =
        new TextTable()
            .column("", "allocator")
            .column("", "threads")
            .column("ns per operation", "all")
            .column("ns per operation", "median slice")
            .column("", "M op/s")
            .column("MiB at the end", "live")
            .column("MiB at the end", "resident")
            .column("resident over live", "highest")
            .column("resident over live", "end")
            .column("resident over live", "growth")
            .column("all freed", "kept")
            .column("all freed", "asked back")
            .column("", "freed by others");
    for (int countThreads : measurement.plan().threads()) {
      Stream.concat(measurement.results().stream(), measurement.controls().stream())
          .filter(result -> result.countThreads() == countThreads)
          .forEach(result -> table.row(row(measurement, result)));
    }
    return table;
  }

  private static List<String> row(ChurnMeasurement measurement, ChurnResult result) {
    boolean isControl = measurement.controls().contains(result);
    long residentBytes = result.end().residentBytes();
    List<String> cells = new ArrayList<>();
    cells.add(result.kind().label());
    cells.add(Figures.count(result.countThreads()));
    cells.add(format("%,.0f", result.nanosPerOperation()));
    cells.add(format("%,.0f", result.medianNanosPerOperation()));
    cells.add(format("%.2f", result.operationsPerSecond() / MILLION));
    cells.add(format("%.0f", (double) result.end().liveBytes() / (1 << 20)));
    if (isControl) {
      // Its memory is no allocator's.
      cells.addAll(List.of("-", "-", "-", "-", "-", "-"));
    } else {
      cells.add(format("%.0f", (double) residentBytes / (1 << 20)));
      cells.add(Figures.ratio(result.mostResidentPerLive()));
      cells.add(Figures.ratio(result.residentPerLive()));
      cells.add(format("%+.1f %%", ChurnClaims.growth(result) * 100));
      cells.add(Figures.percent(result.keptShare()));
      cells.add(share(result.trimmedBytes(), residentBytes));
    }
    cells.add(Figures.percent(result.countThreads() == 1 ? null : result.freedForOthers()));
    return cells;
  }

  private static String share(@Nullable Long bytes, long ofBytes) {
    return Figures.percent(bytes == null ? null : (double) bytes / Math.max(1, ofBytes));
  }

  private static String format(String pattern, Object value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
