package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.medium.MediumResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs with medium pages as Markdown: a row for each figure, a column for each run. */
final class MediumTables {
  private static final double MIB = 1 << 20;
  private static final double NANOS_PER_MICRO = 1e3;

  private MediumTables() {}

  static String sections(JsonNode results) {
    JsonNode runs = results.path("runs");
    JsonNode first = runs.path(0);
    Table table = new Table().column("figure");
    int number = 0;
    for (JsonNode run : runs) {
      number++;
      boolean isSynchronized = run.path("synchronized").asBoolean();
      table.column("run %d, %s".formatted(number, MediumResult.variant(isSynchronized)));
    }
    row(table, runs, "buffers", "/allocations", 1);
    rows(table, runs, "allocation rate, MB/s", "bytesPerSecond", MIB);
    rows(table, runs, "page allocation rate, MB/s", "pageBytesPerSecond", MIB);
    rows(table, runs, "undo page allocation, ops/s", "undoPageAllocations", 1);
    row(table, runs, "undo page allocation, total", "/undoPageAllocations/total", 1);
    rows(table, runs, "page cache flush, MB/s", "pageCacheFlushBytes", MIB);
    rows(table, runs, "defragment, ops/s", "defragments", 1);
    row(table, runs, "medium buffer, µs, p50", "/latencyNanos/p50", NANOS_PER_MICRO);
    row(table, runs, "medium buffer, µs, p99", "/latencyNanos/p99", NANOS_PER_MICRO);
    row(table, runs, "medium buffer, µs, p99.9", "/latencyNanos/p999", NANOS_PER_MICRO);
    row(table, runs, "medium buffer, µs, max", "/latencyNanos/max", NANOS_PER_MICRO);
    return String.format(
            Locale.ROOT,
            "%nRuns in their order, %s threads, %s s each, capacity %,.0f MiB.%n%n",
            first.path("threads").asText(),
            first.path("seconds").asText(),
            first.path("capacityBytes").asDouble() / MIB)
        + table.markdown();
  }

  private static void rows(Table table, JsonNode runs, String name, String field, double divisor) {
    row(table, runs, name + ", avg", "/" + field + "/avg", divisor);
    row(table, runs, name + ", max", "/" + field + "/max", divisor);
  }

  private static void row(Table table, JsonNode runs, String name, String pointer, double divisor) {
    List<String> cells = new ArrayList<>(List.of(name));
    for (JsonNode run : runs) {
      JsonNode value = run.at(pointer);
      cells.add(value.isNumber() ? Figures.number(value.asDouble() / divisor) : Figures.NONE);
    }
    table.row(cells);
  }
}
