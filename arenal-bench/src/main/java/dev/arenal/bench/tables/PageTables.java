package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * The lab's loads of buffers as Markdown: every row for {@code tables.md}, what was promised for
 * README.
 */
final class PageTables {
  /** The columns of README, in this order, those that there are. */
  private static final Map<String, String> ALLOCATORS = new LinkedHashMap<>();

  static {
    ALLOCATORS.put("arenal", "Arenal");
    ALLOCATORS.put("arenal-zeroed", "Arenal, zeroed");
    ALLOCATORS.put("netty-adaptive", "Netty, adaptive");
    ALLOCATORS.put("netty-pooled", "Netty, pooled");
    ALLOCATORS.put("malloc", "malloc");
    ALLOCATORS.put("jemalloc", "jemalloc");
    ALLOCATORS.put("mimalloc", "mimalloc");
  }

  private static final double PERCENT = 100;
  private static final double MIB = 1 << 20;

  private PageTables() {}

  /** One row for each number of threads and allocator. */
  static String churn(JsonNode results) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "allocator",
                "threads",
                "ns/operation",
                "median slice",
                "harness alone",
                "live, MiB",
                "resident",
                "resident / live, highest",
                "at the end",
                "kept when all was freed",
                "after asking it back",
                "freed by others"));
    for (JsonNode result : results.path("results")) {
      JsonNode resident = result.path("residentBytes");
      table.row(
          List.of(
              result.path("allocator").asText(),
              result.path("threads").asText(),
              Figures.number(result.path("nanosPerOperation")),
              Figures.number(result.path("medianNanosPerOperation")),
              Figures.number(control(results, result.path("threads").asInt())),
              Figures.mebibytes(result.path("liveBytes")),
              Figures.mebibytes(resident),
              Figures.number(result.path("mostResidentPerLive")),
              Figures.ratio(resident, result.path("liveBytes")),
              share(result.path("keptBytes"), resident.asDouble()),
              share(result.path("trimmedBytes"), resident.asDouble()),
              share(result.path("freedByOthers"), 1)));
    }
    return String.format(
            Locale.ROOT,
            "%n%,d operations in each row; %s.%n%n",
            results.path("operations").asLong(),
            sizes(results))
        + table.text();
  }

  /** One row for each number of threads, without and with survivors, and allocator. */
  static String burst(JsonNode results) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "allocator",
                "threads",
                "survivors, MiB",
                "peak resident",
                "all freed",
                "idle",
                "idle beside survivors, of the burst"));
    for (JsonNode result : results.path("results")) {
      table.row(
          List.of(
              result.path("allocator").asText(),
              result.path("threads").asText(),
              result.path("survivors").asBoolean()
                  ? Figures.mebibytes(result.path("survivorBytes"))
                  : Figures.NONE,
              Figures.mebibytes(result.path("peakResidentBytes")),
              Figures.mebibytes(result.path("freedResidentBytes")),
              Figures.mebibytes(result.path("idleResidentBytes")),
              idle(results, result)));
    }
    return String.format(
            Locale.ROOT,
            "%nA burst of %,.0f MiB, then %s s idle; Arenal's uncommit delay is %s s; %s.%n%n",
            results.path("burstBytes").asDouble() / MIB,
            Figures.number(results.path("idleSeconds")),
            Figures.number(results.path("uncommitDelaySeconds")),
            sizes(results))
        + table.text();
  }

  /** What a newcomer wants to know of both; either may be missing. */
  static String summary(JsonNode churn, JsonNode burst) {
    List<String> allocators =
        ALLOCATORS.keySet().stream()
            .filter(name -> isIn(churn, name) || isIn(burst, name))
            .toList();
    List<String> titles = new ArrayList<>(List.of("figure", "threads"));
    allocators.forEach(name -> titles.add(ALLOCATORS.get(name)));
    MarkdownTable table = new MarkdownTable(titles);
    Summary summary = new Summary(table, allocators);
    summary.rows(
        churn,
        "churn: resident / live, highest",
        false,
        (_, result) -> Figures.number(result.path("mostResidentPerLive")));
    summary.rows(
        churn,
        "churn: ns/operation",
        false,
        (_, result) -> Figures.number(result.path("nanosPerOperation")));
    summary.rows(burst, "idle after a burst, of the burst", false, PageTables::idle);
    summary.rows(burst, "the same beside a live buffer in each MiB", true, PageTables::idle);
    return table.text();
  }

  /** The rows of one figure, one for each number of threads. */
  private record Summary(MarkdownTable table, List<String> allocators) {
    void rows(
        JsonNode results,
        String what,
        boolean hasSurvivors,
        BiFunction<JsonNode, JsonNode, String> figure) {
      String first = what;
      for (int countThreads : threads(results)) {
        List<String> cells = new ArrayList<>(List.of(first, String.valueOf(countThreads)));
        for (String name : allocators) {
          JsonNode result = find(results, name, countThreads, hasSurvivors);
          cells.add(result.isMissingNode() ? Figures.NONE : figure.apply(results, result));
        }
        table.row(cells);
        first = "";
      }
    }
  }

  private static Set<Integer> threads(JsonNode results) {
    Set<Integer> threads = new LinkedHashSet<>();
    results.path("results").forEach(result -> threads.add(result.path("threads").asInt()));
    return threads;
  }

  private static JsonNode find(
      JsonNode results, String allocator, int countThreads, boolean hasSurvivors) {
    for (JsonNode result : results.path("results")) {
      if (result.path("allocator").asText().equals(allocator)
          && result.path("threads").asInt() == countThreads
          && result.path("survivors").asBoolean() == hasSurvivors) {
        return result;
      }
    }
    return MissingNode.getInstance();
  }

  private static boolean isIn(JsonNode results, String allocator) {
    for (JsonNode result : results.path("results")) {
      if (result.path("allocator").asText().equals(allocator)) {
        return true;
      }
    }
    return false;
  }

  /** What is resident at the end of the idle time beyond what is live, as a share of the burst. */
  private static String idle(JsonNode results, JsonNode result) {
    double bytes =
        result.path("idleResidentBytes").asDouble() - result.path("survivorBytes").asDouble();
    double share = Math.max(0, bytes) / results.path("burstBytes").asDouble();
    return String.format(Locale.ROOT, "%.1f %%", share * PERCENT);
  }

  private static JsonNode control(JsonNode results, int countThreads) {
    for (JsonNode control : results.path("controls")) {
      if (control.path("threads").asInt() == countThreads) {
        return control.path("nanosPerOperation");
      }
    }
    return MissingNode.getInstance();
  }

  private static String share(JsonNode part, double whole) {
    return part.isNumber() && whole > 0
        ? String.format(Locale.ROOT, "%.0f %%", part.asDouble() / whole * PERCENT)
        : Figures.NONE;
  }

  private static String sizes(JsonNode results) {
    JsonNode sizes = results.path("sizes");
    return String.format(
        Locale.ROOT,
        "sizes log-normal, %,d to %,d bytes, median %,d, sigma %s",
        sizes.path("leastBytes").asLong(),
        sizes.path("mostBytes").asLong(),
        sizes.path("medianBytes").asLong(),
        sizes.path("sigma").asText());
  }
}
