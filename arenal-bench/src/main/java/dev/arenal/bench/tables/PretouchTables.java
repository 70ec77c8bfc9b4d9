package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Starts that make sure of their memory as Markdown: two tables for each size. */
final class PretouchTables {
  private static final double GIB = 1 << 30;
  private static final String JVM = "jvm";
  private static final String YES = "yes";

  private PretouchTables() {}

  static String sections(JsonNode results) {
    Set<Long> sizes = new TreeSet<>();
    results.path("results").forEach(result -> sizes.add(result.path("sizeBytes").asLong()));
    StringBuilder text = new StringBuilder();
    for (long sizeBytes : sizes) {
      text.append(String.format(Locale.ROOT, "%n## %.2f GiB%n%n", sizeBytes / GIB));
      text.append("JVMs: from their start until main() runs.\n\n");
      text.append(jvms(results, sizeBytes));
      text.append("\nArenal and a program in C: until the last page was touched.\n\n");
      text.append(others(results, sizeBytes));
    }
    return text.append(refusal(results.path("refusal"))).toString();
  }

  private static String jvms(JsonNode results, long sizeBytes) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "JVM",
                "AlwaysPreTouch",
                "huge pages",
                "free memory, MiB",
                "start, s",
                "fastest",
                "slowest",
                "user",
                "system",
                "added",
                "resident, MiB",
                "in huge pages"));
    for (JsonNode result : results.path("results")) {
      if (isOf(result, sizeBytes, true)) {
        table.row(
            List.of(
                result.path(JVM).asText() + " " + result.path("collector").asText(),
                yes(result.path("pretouch")),
                yes(result.path("hugePages")),
                Figures.mebibytes(result.path("freeBytes")),
                seconds(result.path("wallSeconds")),
                seconds(result.path("leastWallSeconds")),
                seconds(result.path("mostWallSeconds")),
                seconds(result.path("userSeconds")),
                seconds(result.path("systemSeconds")),
                seconds(result.path("touchSeconds")),
                Figures.mebibytes(result.path("residentBytes")),
                Figures.mebibytes(result.path("hugeBytes"))));
      }
    }
    return table.text();
  }

  private static String others(JsonNode results, long sizeBytes) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "who",
                "method",
                "huge pages",
                "threads",
                "wall, s",
                "fastest",
                "slowest",
                "user",
                "system",
                "first use",
                "GiB/s",
                "resident, MiB",
                "in huge pages"));
    for (JsonNode result : results.path("results")) {
      if (isOf(result, sizeBytes, false)) {
        table.row(
            List.of(
                result.path("subject").asText().equals("arenal") ? "Arenal" : "program in C",
                result.path("method").asText(),
                yes(result.path("hugePages")),
                result.path("threads").asText(),
                seconds(result.path("wallSeconds")),
                seconds(result.path("leastWallSeconds")),
                seconds(result.path("mostWallSeconds")),
                seconds(result.path("userSeconds")),
                seconds(result.path("systemSeconds")),
                seconds(result.path("firstUseSeconds")),
                String.format(
                    Locale.ROOT, "%.2f", sizeBytes / GIB / result.path("wallSeconds").asDouble()),
                Figures.mebibytes(result.path("residentBytes")),
                Figures.mebibytes(result.path("hugeBytes"))));
      }
    }
    return table.text();
  }

  private static boolean isOf(JsonNode result, long sizeBytes, boolean isJvm) {
    return result.path("sizeBytes").asLong() == sizeBytes
        && result.path("subject").asText().equals(JVM) == isJvm;
  }

  private static String refusal(JsonNode refusal) {
    return refusal.path("message").asText().isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            "%nAsked for %.1f GiB, twice what was available, Arenal refused after %.1f ms; its"
                + " first use in that process had taken %.0f ms.%n",
            refusal.path("askedBytes").asDouble() / GIB,
            refusal.path("millis").asDouble(),
            refusal.path("firstUseMillis").asDouble());
  }

  private static String yes(JsonNode flag) {
    return flag.asBoolean() ? YES : Figures.NONE;
  }

  private static String seconds(JsonNode seconds) {
    return seconds.isNumber()
        ? String.format(Locale.ROOT, "%.3f", seconds.asDouble())
        : Figures.NONE;
  }
}
