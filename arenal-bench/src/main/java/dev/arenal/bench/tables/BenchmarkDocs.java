package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.figure.Plain;
import dev.arenal.lab.firstuse.FirstUseMeasurement;
import dev.arenal.lab.jvm.JvmComparison;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.report.BuffersSection;
import dev.arenal.lab.report.BurstSection;
import dev.arenal.lab.report.ChurnSection;
import dev.arenal.lab.report.ConfinedSection;
import dev.arenal.lab.report.FirstUseSection;
import dev.arenal.lab.report.JvmSection;
import dev.arenal.lab.report.PretouchSection;
import dev.arenal.lab.report.ProxySection;
import dev.arenal.lab.report.ReplaySection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The documents that quote results, as they must be: {@code docs/benchmarks/TOPIC/tables.md} for
 * each topic that has a {@code results.json}, which for confined arenas is the whole page, and what
 * {@link MarkedPages} quote.
 */
final class BenchmarkDocs {
  private static final String FINDINGS = "findings.md";
  private static final String PICTURE_TRACE = "by-class";
  private static final String GENERATED =
      "<!-- Made by docs/benchmarks/update from results.json and env.json: do not edit. -->\n";

  private final Path root;
  private final Results results;

  BenchmarkDocs(Path root) {
    this.root = root;
    this.results = new Results(root);
  }

  /** Path, relative to the root and with slashes, to the text that the results ask for. */
  Map<String, String> expected() throws IOException {
    Map<String, String> texts = new TreeMap<>(new MarkedPages(root, results).expected());
    for (String topic : results.topics()) {
      texts.put("docs/benchmarks/%s/%s".formatted(topic, Topics.page(topic)), tables(topic));
    }
    results
        .replays()
        .flatMap(replays -> ReplaySection.picture(replays, PICTURE_TRACE))
        .ifPresent(picture -> texts.put(Topics.picture(Topics.REPLAY), picture.svg()));
    results
        .jvms()
        .map(comparison -> JvmSection.picture(comparison.jvms()))
        .ifPresent(picture -> texts.put(Topics.picture(Topics.JVM), picture.svg()));
    results
        .confined()
        .map(ConfinedSection::picture)
        .ifPresent(picture -> texts.put(Topics.picture(Topics.CONFINED), picture.svg()));
    return texts;
  }

  /**
   * Writes what is not as it must be.
   *
   * @return the files written
   */
  List<String> update() throws IOException {
    Map<String, String> stale = stale();
    for (Map.Entry<String, String> entry : stale.entrySet()) {
      Path file = root.resolve(entry.getKey());
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(file, entry.getValue());
    }
    return List.copyOf(stale.keySet());
  }

  /** Those of {@link #expected} whose file says something else, or is missing. */
  Map<String, String> stale() throws IOException {
    Map<String, String> stale = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : expected().entrySet()) {
      Path file = root.resolve(entry.getKey());
      if (!Files.exists(file) || !Files.readString(file).equals(entry.getValue())) {
        stale.put(entry.getKey(), entry.getValue());
      }
    }
    return stale;
  }

  private String tables(String topic) throws IOException {
    String sections =
        switch (Topics.kind(topic)) {
          case Topics.REPLAY ->
              markdown(ReplaySection.of(List.of(results.read(topic, TraceReplay[].class))));
          case Topics.JVM -> {
            JvmComparison comparison = results.jvms().orElseThrow();
            yield markdown(JvmSection.of(comparison.workload(), comparison.jvms()));
          }
          case Topics.MEDIUM -> MediumTables.sections(results.read(topic, JsonNode.class));
          case Topics.SPARK -> SparkTables.sections(results.read(topic, JsonNode.class));
          case Topics.CONFINED -> markdown(ConfinedSection.of(results.confined().orElseThrow()));
          case Topics.BUFFERS ->
              markdown(BuffersSection.of(results.buffers().orElseThrow(), List.of()));
          case Topics.CHURN ->
              markdown(ChurnSection.of(results.read(topic, ChurnMeasurement.class)));
          case Topics.BURST ->
              markdown(BurstSection.of(results.read(topic, BurstMeasurement.class)));
          case Topics.PRETOUCH -> markdown(PretouchSection.of(results.pretouch().orElseThrow()));
          case Topics.FIRST_USE ->
              markdown(FirstUseSection.of(results.read(topic, FirstUseMeasurement.class)));
          case Topics.PROXY -> markdown(ProxySection.of(results.proxy().orElseThrow()));
          default -> JmhTables.sections(JmhResult.all(results.read(topic, JsonNode.class)));
        };
    String head = GENERATED + "\n# " + topic + "\n\n" + results.environment(topic) + "\n";
    String picture =
        Topics.hasPicture(topic)
            ? "\n![%s](../../../%s)\n".formatted(topic, Topics.picture(topic))
            : "";
    return head + picture + sections + findings(topic);
  }

  /** The observations, and all that the report shows but for its charts. */
  private static String markdown(Section section) {
    StringBuilder text = new StringBuilder("\n");
    section.findings().forEach(finding -> text.append("- ").append(finding).append('\n'));
    return text + Plain.markdown(section.parts());
  }

  /** Explanations of the figures are in a document that people write. */
  private String findings(String topic) {
    return Files.exists(results.folder(topic).resolve(FINDINGS))
        ? "\nNotes on these figures: [%s](%s).\n".formatted(FINDINGS, FINDINGS)
        : "";
  }
}
