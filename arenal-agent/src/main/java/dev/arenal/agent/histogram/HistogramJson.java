package dev.arenal.agent.histogram;

import dev.arenal.agent.histogram.HistogramData.AllocationBucket;
import dev.arenal.agent.histogram.HistogramData.Bucket;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import dev.arenal.agent.histogram.HistogramData.Row;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;

/** The figures of a run as JSON; {@code docs/agent.md} describes it. */
public final class HistogramJson {
  /** Names the format in the file. */
  public static final String FORMAT = "arenal-histogram";

  /** Rises when an older reader would misread the file. */
  public static final int VERSION = 1;

  private HistogramJson() {}

  /** The text of the file. */
  public static String text(HistogramData data, RunFacts facts, Instant written) {
    StringBuilder json = new StringBuilder("{\n");
    field(json, "format", quoted(FORMAT));
    field(json, "version", VERSION);
    field(json, "program", quoted(facts.program()));
    field(json, "pid", facts.pid());
    field(json, "jvm", quoted(facts.jvm()));
    field(json, "pooledSites", quoted(facts.pooledSites()));
    field(json, "started", quoted(facts.started().toString()));
    field(json, "written", quoted(written.toString()));
    field(json, "arenasOpened", data.arenasOpened());
    field(json, "arenasClosed", data.arenasClosed());
    field(json, "arenasNotClosed", data.arenasNotClosed());
    field(json, "arenasWithoutAllocations", data.arenasWithoutAllocations());
    field(json, "bytes", data.bytes());
    field(json, "averageBytes", String.format(Locale.ROOT, "%.3f", data.averageBytes()));
    field(json, "allocations", data.allocations());
    list(json, "table", data.table(), HistogramJson::row);
    StringBuilder exact = new StringBuilder();
    for (int bytes = 0; bytes < Counters.COUNT_EXACT; bytes++) {
      exact.append(bytes == 0 ? "" : bytes % 16 == 0 ? ",\n    " : ", ");
      exact.append(data.arenasOfExactly(bytes));
    }
    field(json, "arenasByExactBytes", "[\n    " + exact + "\n  ]");
    list(json, "arenasByBytes", data.buckets(), HistogramJson::bucket);
    list(json, "arenasByAllocations", data.arenasByAllocations(), HistogramJson::allocations);
    list(json, "pools", data.pools(), HistogramJson::pool);
    json.setLength(json.length() - ",\n".length());
    return json.append("\n}\n").toString();
  }

  private static String row(Row row) {
    return String.format(
        Locale.ROOT,
        "{\"label\": %s, \"arenas\": %d, \"bytes\": %d}",
        quoted(row.label()),
        row.arenas(),
        row.bytes());
  }

  private static String bucket(Bucket bucket) {
    return String.format(
        Locale.ROOT,
        "{\"fromBytes\": %d, \"toBytes\": %d, \"arenas\": %d, \"bytes\": %d}",
        bucket.fromBytes(),
        bucket.toBytes(),
        bucket.arenas(),
        bucket.bytes());
  }

  private static String allocations(AllocationBucket bucket) {
    return String.format(
        Locale.ROOT,
        "{\"from\": %d, \"to\": %d, \"arenas\": %d}",
        bucket.from(),
        bucket.to(),
        bucket.arenas());
  }

  private static String pool(PoolShare pool) {
    return String.format(
        Locale.ROOT,
        "{\"sizeBytes\": %d, \"arenas\": %d, \"allocations\": %d}",
        pool.sizeBytes(),
        pool.arenas(),
        pool.allocations());
  }

  private static <T> void list(
      StringBuilder json, String name, Iterable<T> all, Function<T, String> text) {
    StringBuilder lines = new StringBuilder();
    for (T each : all) {
      lines.append(lines.isEmpty() ? "" : ",\n    ").append(text.apply(each));
    }
    field(json, name, "[\n    " + lines + "\n  ]");
  }

  private static void field(StringBuilder json, String name, Object value) {
    json.append("  \"").append(name).append("\": ").append(value).append(",\n");
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      switch (letter) {
        case '"', '\\' -> quoted.append('\\').append(letter);
        default -> {
          if (letter < ' ' || Character.isSurrogate(letter)) {
            quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) letter));
          } else {
            quoted.append(letter);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
