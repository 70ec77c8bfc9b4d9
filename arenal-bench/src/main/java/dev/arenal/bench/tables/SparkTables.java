package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.result.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Executors of Spark as Markdown: a row for each arm, with the median of its runs. */
final class SparkTables {
  private static final double MIB = 1 << 20;
  private static final List<String> HASHES = List.of("query1Hash", "query2Hash");

  private SparkTables() {}

  static String sections(JsonNode results) {
    Map<String, List<JsonNode>> arms = new LinkedHashMap<>();
    for (JsonNode run : results.path("results")) {
      arms.computeIfAbsent(run.path("arm").asText(), _ -> new ArrayList<>()).add(run);
    }
    Table table =
        new Table()
            .column("arm")
            .column("runs")
            .column("before")
            .column("peak")
            .column("freed")
            .column("idle")
            .column("idle, least to most")
            .column("second peak")
            .column("Python, peak");
    arms.forEach((arm, runs) ->
        table.row(
            arm,
            String.valueOf(runs.size()),
            median(runs, "beforeBytes"),
            median(runs, "query1PeakBytes"),
            median(runs, "query1FreedBytes"),
            median(runs, "idleBytes"),
            range(runs, "idleBytes"),
            median(runs, "query2PeakBytes"),
            median(runs, "pythonPeakBytes")));
    return String.format(
            Locale.ROOT,
            """

            MiB of anonymous resident memory of the executor without its heap of %,.0f MiB; \
            medians of the runs. Before: after a
            warm-up of the same query with few rows. Freed: as the first query returns. Idle: %s s \
            later. Python: the workers'
            together, pages that they share counted in each.

            """,
            results.path("heapBytes").asDouble() / MIB,
            Figures.number(results.path("idleSeconds").asDouble()))
        + table.markdown()
        + "\nEach query of each run has found the same: rows and hash are "
        + String.join(", ", hashes(results.path("results")))
        + ".\n";
  }

  /** Arms that find different things have not done the same work. */
  static void checkHashes(JsonNode runs, Path folder) throws IOException {
    Set<String> hashes = hashes(runs);
    if (hashes.size() != 1) {
      throw new IOException(
          "queries have found different things: folder=%s, hashes=%s (expected one hash)"
              .formatted(folder, hashes));
    }
  }

  private static Set<String> hashes(JsonNode runs) {
    Set<String> hashes = new TreeSet<>();
    for (JsonNode run : runs) {
      HASHES.forEach(name -> hashes.add(run.path(name).asText()));
    }
    return hashes;
  }

  private static String median(List<JsonNode> runs, String field) {
    return String.format(
        Locale.ROOT, "%,.0f", Median.of(runs, run -> run.path(field).asDouble() / MIB));
  }

  private static String range(List<JsonNode> runs, String field) {
    double[] sorted = sorted(runs, field);
    return String.format(Locale.ROOT, "%,.0f to %,.0f", sorted[0], sorted[sorted.length - 1]);
  }

  private static double[] sorted(List<JsonNode> runs, String field) {
    return runs.stream().mapToDouble(run -> run.path(field).asDouble() / MIB).sorted().toArray();
  }
}
