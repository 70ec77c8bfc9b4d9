package dev.arenal.lab.report;

import dev.arenal.lab.buffers.BurstClaims;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.BurstPlan;
import dev.arenal.lab.buffers.BurstResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A burst as tables. */
public final class BurstTables {
  private static final double MILLIS = 1e3;

  private BurstTables() {}

  /** The figures, and below them what is claimed, as lines for a terminal. */
  public static List<String> lines(BurstMeasurement measurement) {
    List<String> lines = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      return lines;
    }
    lines.add("burst: " + what(measurement.plan()));
    lines.addAll(results(measurement).lines());
    lines.add("");
    if (!BurstClaims.of(measurement).isEmpty()) {
      lines.addAll(ClaimTable.of(BurstClaims.of(measurement)).lines());
      lines.add("");
    }
    return lines;
  }

  /** What was done, in a few words. */
  static String what(BurstPlan plan) {
    return "%s of buffers allocated and freed, then %s s idle; Arenal's uncommit delay is %s s"
        .formatted(
            ChurnTables.size(plan.burstBytes()),
            seconds(plan.idle().toMillis()),
            seconds(plan.uncommitDelay().toMillis()));
  }

  private static String seconds(long millis) {
    return millis % 1000 == 0
        ? String.valueOf(millis / 1000)
        : String.format(Locale.ROOT, "%.1f", millis / MILLIS);
  }

  /** A row for each number of threads, with and without survivors, and allocator. */
  static TextTable results(BurstMeasurement measurement) {
    TextTable table =
        new TextTable()
            .column("", "allocator")
            .column("", "threads")
            .column("MiB", "survivors")
            .column("MiB resident", "peak")
            .column("MiB resident", "freed")
            .column("MiB resident", "idle")
            .column("", "idle beside survivors");
    for (BurstResult result : measurement.results()) {
      table.row(
          List.of(
              result.kind().label(),
              Figures.count(result.countThreads()),
              result.hasSurvivors() ? mebibytes(result.survivorBytes()) : Figures.NONE,
              mebibytes(result.peakResidentBytes()),
              mebibytes(result.freedResidentBytes()),
              mebibytes(result.idleResidentBytes()),
              String.format(
                  Locale.ROOT,
                  "%.1f %%",
                  result.idleShare(measurement.plan().burstBytes()) * 100)));
    }
    return table;
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%,.0f", (double) bytes / (1 << 20));
  }
}
