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

  /** What a newcomer wants to know: the largest size, by all threads. */
  static String summary(JsonNode results) {
    long sizeBytes = 0;
    int countThreads = 0;
    for (JsonNode result : results.path("results")) {
      sizeBytes = Math.max(sizeBytes, result.path("sizeBytes").asLong());
      countThreads = Math.max(countThreads, result.path("threads").asInt());
    }
    String seconds = String.format(Locale.ROOT, "s for %.0f GiB", sizeBytes / GIB);
    MarkdownTable table =
        new MarkdownTable(List.of("who, with all cores", "pages", seconds, "s per GiB", "GiB/s"));
    for (JsonNode result : results.path("results")) {
      boolean isJvm = result.path("subject").asText().equals(JVM);
      boolean isShown =
          result.path("sizeBytes").asLong() == sizeBytes
              && (isJvm
                  ? result.path("pretouch").asBoolean()
                  : result.path("threads").asInt() == countThreads);
      if (isShown) {
        double touched = result.path("touchSeconds").asDouble();
        double gib = sizeBytes / GIB;
        table.row(
            List.of(
                name(result),
                result.path("hugePages").asBoolean() ? "huge" : "4 KiB",
                seconds(result.path("touchSeconds")),
                String.format(Locale.ROOT, "%.3f", touched / gib),
                String.format(Locale.ROOT, "%.1f", gib / touched)));
      }
    }
    return table.text();
  }

  private static String name(JsonNode result) {
    String method = result.path("method").asText();
    return switch (result.path("subject").asText()) {
      case JVM ->
          "AlwaysPreTouch adds: %s, %s"
              .formatted(result.path(JVM).asText(), result.path("collector").asText());
      case "arenal" -> method.equals("touch") ? "Arenal, touch loop" : "**Arenal**";
      default ->
          method.equals("clear")
              ? "the bound: clearing memory that is there"
              : "a loop in C, nothing else";
    };
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
            "%nAsked for %.1f GiB, twice what was available, Arenal refused after %.1f ms; to"
                + " reserve the addresses, its first use there, had taken %.0f ms.%n",
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
