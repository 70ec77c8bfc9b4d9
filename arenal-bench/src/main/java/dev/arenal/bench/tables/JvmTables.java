package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The lab's real JVMs as Markdown: every phase for {@code tables.md}, spike and valley for README.
 */
final class JvmTables {
  private JvmTables() {}

  /** What to call a JVM: the lab's own name for it, or its version. */
  static String name(JsonNode jvm) {
    String label = jvm.path("label").asText();
    return label.isEmpty() ? jvm.path("version").asText() : label;
  }

  /** One section for each JVM, one row for each phase. */
  static String sections(JsonNode results) {
    StringBuilder text = new StringBuilder();
    for (JsonNode jvm : results.path("jvms")) {
      text.append("\n## ").append(name(jvm)).append("\n\n");
      text.append(
          "%s, `%s`, %s s; sizes in MiB.\n\n"
              .formatted(
                  jvm.path("version").asText(),
                  jvm.path("flags").asText(),
                  Figures.number(jvm.path("seconds"))));
      text.append(phases(jvm));
    }
    return text.toString();
  }

  /** What a newcomer wants to know of each JVM. */
  static String summary(JsonNode results) {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "metaspace of a real JVM, MiB",
                "version",
                "spike: used",
                "committed",
                "valley: used",
                "committed",
                "committed / used",
                "end: committed"));
    for (JsonNode jvm : results.path("jvms")) {
      JsonNode spike = spike(jvm);
      JsonNode valley = valley(jvm);
      JsonNode end = jvm.path("phases").path(jvm.path("phases").size() - 1);
      table.row(
          List.of(
              name(jvm),
              jvm.path("version").asText(),
              Figures.mebibytes(spike.path("usedBytes")),
              Figures.mebibytes(spike.path("committedBytes")),
              Figures.mebibytes(valley.path("usedBytes")),
              Figures.mebibytes(valley.path("committedBytes")),
              Figures.ratio(valley.path("committedBytes"), valley.path("usedBytes")),
              Figures.mebibytes(end.path("committedBytes"))));
    }
    return table.text();
  }

  private static String phases(JsonNode jvm) {
    MarkdownTable table =
        new MarkdownTable(
            List.of("phase", "used", "committed", "committed / used", "resident (process)"));
    for (JsonNode phase : jvm.path("phases")) {
      table.row(
          List.of(
              phase.path("label").asText(),
              Figures.mebibytes(phase.path("usedBytes")),
              Figures.mebibytes(phase.path("committedBytes")),
              Figures.ratio(phase.path("committedBytes"), phase.path("usedBytes")),
              Figures.mebibytes(phase.path("residentBytes"))));
    }
    return table.text();
  }

  /** The phase before used first falls. */
  private static JsonNode spike(JsonNode jvm) {
    List<JsonNode> phases = phaseList(jvm);
    int peak = peakIndex(phases);
    return phases.isEmpty() ? MissingNode.getInstance() : phases.get(peak);
  }

  /**
   * The phase that the lab calls the valley; without its word the last one before used rises again,
   * or before the end if it never does.
   */
  private static JsonNode valley(JsonNode jvm) {
    List<JsonNode> phases = phaseList(jvm);
    String label = jvm.path("valley").path("phase").asText();
    for (JsonNode phase : phases) {
      if (!label.isEmpty() && phase.path("label").asText().equals(label)) {
        return phase;
      }
    }
    int lowest = peakIndex(phases);
    while (lowest + 1 < phases.size() - 1 && used(phases, lowest + 1) <= used(phases, lowest)) {
      lowest++;
    }
    return phases.isEmpty() ? MissingNode.getInstance() : phases.get(lowest);
  }

  private static int peakIndex(List<JsonNode> phases) {
    int peak = 0;
    while (peak + 1 < phases.size() && used(phases, peak + 1) >= used(phases, peak)) {
      peak++;
    }
    return peak;
  }

  private static long used(List<JsonNode> phases, int index) {
    return phases.get(index).path("usedBytes").asLong();
  }

  private static List<JsonNode> phaseList(JsonNode jvm) {
    List<JsonNode> phases = new ArrayList<>();
    jvm.path("phases").forEach(phases::add);
    return phases;
  }
}
