package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The two pages that people write and that quote results between markers: {@code README.md} with
 * one table of all topics, and {@code docs/benchmarks/results.md} with one of each.
 */
final class MarkedPages {
  static final String README = "README.md";
  static final String RESULTS_PAGE = "docs/benchmarks/results.md";
  private static final String NOTHING =
      "Nothing has been measured yet; `docs/benchmarks/measure` does.\n";

  private final Path root;
  private final Results results;

  MarkedPages(Path root, Results results) {
    this.root = root;
    this.results = results;
  }

  /** Path to text, of those pages that are there. */
  Map<String, String> expected() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    Path readme = root.resolve(README);
    if (Files.exists(readme)) {
      String table = Overview.table(results);
      texts.put(
          README,
          MarkedSection.replace(
              README, Files.readString(readme), table.isEmpty() ? NOTHING : table));
    }
    Path page = root.resolve(RESULTS_PAGE);
    if (Files.exists(page)) {
      String text = Files.readString(page);
      for (Map.Entry<String, String> section : sections().entrySet()) {
        text = MarkedSection.replaceNamed(RESULTS_PAGE, text, section.getKey(), section.getValue());
      }
      texts.put(RESULTS_PAGE, text);
    }
    return texts;
  }

  private Map<String, String> sections() throws IOException {
    Map<String, Optional<String>> figures = new LinkedHashMap<>();
    figures.put(Topics.REPLAY, results.replays().map(Summaries::replay));
    figures.put(
        Topics.JVM,
        results
            .jvms()
            .map(comparison ->
                picture("Metaspace committed by real JVMs, over what they use", Topics.JVM)
                    + Summaries.jvm(comparison.jvms())));
    figures.put(
        Topics.OWNER_ALLOCATION,
        results.find(Topics.OWNER_ALLOCATION, JsonNode.class).map(MarkedPages::ownerAllocation));
    figures.put(
        Topics.CONFINED,
        results
            .confined()
            .map(measurement ->
                picture("Time of an arena over its size, by factory", Topics.CONFINED)
                    + Summaries.confined(measurement)));
    figures.put(Topics.PROXY, results.proxy().map(Summaries::proxy));
    figures.put(Topics.PRETOUCH, results.pretouch().map(Summaries::pretouch));
    Map<String, String> sections = new LinkedHashMap<>();
    for (Map.Entry<String, Optional<String>> topic : figures.entrySet()) {
      Optional<String> text = topic.getValue();
      sections.put(
          topic.getKey(),
          text.isEmpty() ? NOTHING : text.get() + "\nMeasured" + measured(topic.getKey()));
    }
    sections.put(Topics.PAGES, pages());
    return sections;
  }

  private static String ownerAllocation(JsonNode figures) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("OwnerAllocation", "allocation alone");
    columns.put("OwnerAllocationWritten", "every word written");
    return JmhTables.sideBySide(
        JmhResult.all(figures).stream()
            .filter(figure -> columns.containsKey(figure.group()))
            .toList(),
        columns);
  }

  private String pages() throws IOException {
    Optional<ChurnMeasurement> churn = results.churn();
    Optional<BurstMeasurement> burst = results.burst();
    if (churn.isEmpty() && burst.isEmpty()) {
      return NOTHING;
    }
    StringBuilder text = new StringBuilder(Summaries.pages(churn.orElse(null), burst.orElse(null)));
    List<String> measured = results.topics();
    for (String topic : List.of(Topics.CHURN, Topics.BURST)) {
      if (measured.contains(topic)) {
        text.append("\n`").append(topic).append("` was measured").append(measured(topic));
      }
    }
    return text.toString();
  }

  private String measured(String topic) throws IOException {
    return " on %s All figures: [%s](%s/%s).\n"
        .formatted(results.environment(topic), topic, topic, Topics.page(topic));
  }

  private static String picture(String what, String topic) {
    return "![%s](%s)\n\n".formatted(what, Topics.picture(topic).replaceFirst("^docs/", "../"));
  }
}
