package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The lab's replays as Markdown: everything for {@code tables.md}, what was promised for README.
 */
final class ReplayTables {
  /** The columns of README, in this order, those that there are. */
  private static final Map<String, String> ALLOCATORS = new LinkedHashMap<>();

  static {
    ALLOCATORS.put("hotspot", "HotSpot, as recorded");
    ALLOCATORS.put("elastic", "Arenal");
    ALLOCATORS.put("elastic-owner", "Arenal, an arena an owner");
    ALLOCATORS.put("malloc", "malloc");
    ALLOCATORS.put("jemalloc", "jemalloc");
    ALLOCATORS.put("mimalloc", "mimalloc");
    ALLOCATORS.put("jdk-confined", "Arena.ofConfined()");
    ALLOCATORS.put("jdk-shared", "Arena.ofShared()");
  }

  private static final List<String> PHASES = List.of("peak", "valley", "secondPeak", "end");

  private ReplayTables() {}

  /** One section for each trace, one row for each allocator. */
  static String sections(JsonNode traces) {
    StringBuilder text = new StringBuilder();
    for (JsonNode trace : traces) {
      text.append(
          String.format(
              Locale.ROOT,
              "\n## %s\n\n%,d allocations, %,d arenas; sizes in MiB; used at peak %s, valley %s,"
                  + " second peak %s, end %s.\n\n",
              trace.path("trace").asText(),
              trace.path("allocations").asLong(),
              trace.path("arenas").asLong(),
              used(trace, "peak"),
              used(trace, "valley"),
              used(trace, "secondPeak"),
              used(trace, "end")));
      text.append(table(trace));
    }
    return text.toString();
  }

  /** What a newcomer wants to know of each trace. */
  static String summary(JsonNode traces) {
    List<String> allocators =
        ALLOCATORS.keySet().stream().filter(name -> isIn(traces, name)).toList();
    List<String> titles = new ArrayList<>(List.of("trace", "figure"));
    allocators.forEach(name -> titles.add(ALLOCATORS.get(name)));
    MarkdownTable table = new MarkdownTable(titles);
    for (JsonNode trace : traces) {
      String name = trace.path("trace").asText();
      table.row(
          row(name, "committed / used, valley", trace, allocators, ReplayTables::valleyRatio));
      table.row(
          row(
              "",
              "resident at the valley, MiB",
              trace,
              allocators,
              result -> Figures.mebibytes(result.path("valley").path("residentBytes"))));
      table.row(
          row(
              "",
              "resident at the end, MiB",
              trace,
              allocators,
              result -> Figures.mebibytes(result.path("end").path("residentBytes"))));
      table.row(
          row(
              "",
              "replay, ms",
              trace,
              allocators,
              result -> Figures.millis(result.path("wallNanos"))));
    }
    return table.text();
  }

  private static List<String> row(
      String first,
      String what,
      JsonNode trace,
      List<String> allocators,
      Function<JsonNode, String> figure) {
    List<String> cells = new ArrayList<>(List.of(first, what));
    allocators.forEach(name -> cells.add(figure.apply(result(trace, name))));
    return cells;
  }

  private static String table(JsonNode trace) {
    List<String> titles =
        new ArrayList<>(List.of("allocator", "granule, KiB", "ms", "ns/allocation", "headers"));
    for (String phase : List.of("peak", "valley", "2nd peak", "end")) {
      titles.add(phase + ": committed");
      titles.add("resident");
    }
    titles.add("committed / used, valley");
    MarkdownTable table = new MarkdownTable(titles);
    for (JsonNode result : trace.path("results")) {
      JsonNode granule = result.path("granuleBytes");
      List<String> cells = new ArrayList<>();
      cells.add(result.path("allocator").asText());
      cells.add(granule.isNumber() ? String.valueOf(granule.asLong() / 1024) : Figures.NONE);
      cells.add(Figures.millis(result.path("wallNanos")));
      cells.add(Figures.number(result.path("nanosPerAllocation")));
      cells.add(Figures.mebibytes(result.path("headerBytes")));
      for (String phase : PHASES) {
        cells.add(Figures.mebibytes(result.path(phase).path("committedBytes")));
        cells.add(Figures.mebibytes(result.path(phase).path("residentBytes")));
      }
      cells.add(valleyRatio(result));
      table.row(cells);
    }
    return table.text();
  }

  private static String valleyRatio(JsonNode result) {
    JsonNode valley = result.path("valley");
    return Figures.ratio(valley.path("committedBytes"), valley.path("usedBytes"));
  }

  /** The same for all allocators: it is a property of the trace. */
  private static String used(JsonNode trace, String phase) {
    return Figures.mebibytes(trace.path("results").path(0).path(phase).path("usedBytes"));
  }

  private static boolean isIn(JsonNode traces, String allocator) {
    for (JsonNode trace : traces) {
      if (!result(trace, allocator).isMissingNode()) {
        return true;
      }
    }
    return false;
  }

  private static JsonNode result(JsonNode trace, String allocator) {
    for (JsonNode result : trace.path("results")) {
      if (result.path("allocator").asText().equals(allocator)) {
        return result;
      }
    }
    return MissingNode.getInstance();
  }
}
