package dev.arenal.bench.tables;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jvm.JvmComparison;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

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
      texts.put(README, MarkedSection.replace(README, Files.readString(readme), overview()));
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

  private String overview() throws IOException {
    String table =
        Overview.table(
            results.isMeasured(Topics.REPLAY) ? replays() : List.of(),
            results.isMeasured(Topics.CONFINED) ? confined() : null,
            results.isMeasured(Topics.CHURN) ? churn() : null,
            results.isMeasured(Topics.BURST) ? burst() : null,
            results.isMeasured(Topics.PROXY) ? proxy() : null,
            results.isMeasured(Topics.PRETOUCH) ? pretouch() : null);
    return table.isEmpty() ? NOTHING : table;
  }

  private Map<String, String> sections() throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put(
        Topics.REPLAY,
        results.isMeasured(Topics.REPLAY)
            ? Summaries.replay(replays()) + measured(Topics.REPLAY)
            : NOTHING);
    sections.put(Topics.JVM, results.isMeasured(Topics.JVM) ? jvm() : NOTHING);
    sections.put(
        Topics.OWNER_ALLOCATION,
        results.isMeasured(Topics.OWNER_ALLOCATION) ? ownerAllocation() : NOTHING);
    sections.put(
        Topics.CONFINED,
        results.isMeasured(Topics.CONFINED)
            ? "![Time of an arena over its size, by factory](%s)\n\n"
                    .formatted(picture(Topics.CONFINED))
                + Summaries.confined(confined())
                + measured(Topics.CONFINED)
            : NOTHING);
    sections.put(Topics.PAGES, pages());
    sections.put(
        Topics.PROXY,
        results.isMeasured(Topics.PROXY)
            ? Summaries.proxy(proxy()) + measured(Topics.PROXY)
            : NOTHING);
    sections.put(
        Topics.PRETOUCH,
        results.isMeasured(Topics.PRETOUCH)
            ? Summaries.pretouch(pretouch()) + measured(Topics.PRETOUCH)
            : NOTHING);
    return sections;
  }

  private String jvm() throws IOException {
    return "![Metaspace committed by real JVMs, over what they use](%s)\n\n"
            .formatted(picture(Topics.JVM))
        + Summaries.jvm(results.read(Topics.JVM, JvmComparison.class).jvms())
        + measured(Topics.JVM);
  }

  private String ownerAllocation() throws IOException {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("OwnerAllocation", "allocation alone");
    columns.put("OwnerAllocationWritten", "every word written");
    List<JmhResult> figures =
        JmhResult.all(results.read(Topics.OWNER_ALLOCATION, JsonNode.class)).stream()
            .filter(figure -> columns.containsKey(figure.group()))
            .toList();
    return JmhTables.sideBySide(figures, columns) + measured(Topics.OWNER_ALLOCATION);
  }

  private String pages() throws IOException {
    List<String> measured =
        Stream.of(Topics.CHURN, Topics.BURST).filter(results::isMeasured).toList();
    if (measured.isEmpty()) {
      return NOTHING;
    }
    StringBuilder text = new StringBuilder();
    text.append(
        Summaries.pages(
            results.isMeasured(Topics.CHURN) ? churn() : null,
            results.isMeasured(Topics.BURST) ? burst() : null));
    for (String topic : measured) {
      text.append(
          "\n`%s` was measured on %s %s\n"
              .formatted(topic, results.environment(topic), all(topic)));
    }
    return text.toString();
  }

  private String measured(String topic) throws IOException {
    return "\nMeasured on %s %s\n".formatted(results.environment(topic), all(topic));
  }

  private static String all(String topic) {
    return "All figures: [%s](%s/%s).".formatted(topic, topic, Topics.page(topic));
  }

  private static String picture(String topic) {
    return Topics.picture(topic).replaceFirst("^docs/", "../");
  }

  private List<TraceReplay> replays() throws IOException {
    return List.of(results.read(Topics.REPLAY, TraceReplay[].class));
  }

  private JmhMeasurement<ConfinedCell> confined() throws IOException {
    return results.read(Topics.CONFINED, new TypeReference<JmhMeasurement<ConfinedCell>>() {});
  }

  private ChurnMeasurement churn() throws IOException {
    return results.read(Topics.CHURN, ChurnMeasurement.class);
  }

  private BurstMeasurement burst() throws IOException {
    return results.read(Topics.BURST, BurstMeasurement.class);
  }

  private ProxyMeasurement proxy() throws IOException {
    return results.read(Topics.PROXY, ProxyMeasurement.class);
  }

  private PretouchMeasurement pretouch() throws IOException {
    return results.read(Topics.PRETOUCH, PretouchMeasurement.class);
  }
}
