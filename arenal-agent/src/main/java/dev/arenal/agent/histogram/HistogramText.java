package dev.arenal.agent.histogram;

import dev.arenal.agent.histogram.HistogramData.Row;
import java.util.Locale;

/** The figures of a run as a table for people. */
public final class HistogramText {
  private static final double PERCENT = 100;
  private static final String LINE = "%-12s %19s %8s %22s %8s\n";

  private HistogramText() {}

  /** The table, each line with its end. */
  public static String table(HistogramData data) {
    long arenas = data.arenasClosed();
    long bytes = data.bytes();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "arenas closed: %,d; not closed: %,d; allocations: %,d; bytes: %,d; average: %,.1f B\n",
            arenas,
            data.arenasNotClosed(),
            data.allocations(),
            bytes,
            data.averageBytes()));
    text.append(String.format(Locale.ROOT, LINE, "size", "arenas", "share", "bytes", "share"));
    for (Row row : data.table()) {
      text.append(
          String.format(
              Locale.ROOT,
              LINE,
              row.label(),
              format("%,d", row.arenas()),
              share(row.arenas(), arenas),
              format("%,d", row.bytes()),
              share(row.bytes(), bytes)));
    }
    return text.toString();
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "-" : format("%.3f%%", PERCENT * part / whole);
  }

  private static String format(String pattern, Object value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
