package dev.arenal.bench.tables;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.figure.Plain;
import dev.arenal.lab.firstuse.FirstUseMeasurement;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jvm.JvmComparison;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.proxy.ProxyMeasurement;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.report.BuffersSection;
import dev.arenal.lab.report.BurstSection;
import dev.arenal.lab.report.ChurnSection;
import dev.arenal.lab.report.ConfinedSection;
import dev.arenal.lab.report.Environment;
import dev.arenal.lab.report.FirstUseSection;
import dev.arenal.lab.report.JvmSection;
import dev.arenal.lab.report.PretouchSection;
import dev.arenal.lab.report.ProxySection;
import dev.arenal.lab.report.ReplaySection;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.result.Json;
import dev.arenal.lab.roundtrip.BufferCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The documents that quote results, as they must be: {@code docs/benchmarks/TOPIC/tables.md} for
 * each topic that has a {@code results.json}, which for confined arenas is a page of its own, and
 * the marked sections of {@code README.md}.
 */
final class BenchmarkDocs {
  static final String RESULTS = "results.json";
  static final String ENVIRONMENT = "env.json";
  static final String REPLAY = "replay";
  static final String JVM = "jvm";
  static final String CONFINED = "confined";
  static final String MEDIUM = "medium";
  static final String BUFFERS = "buffers";
  static final String CHURN = "churn";
  static final String BURST = "burst";
  static final String PRETOUCH = "pretouch";
  static final String FIRST_USE = "first-use";
  static final String PROXY = "proxy";

  /** The marked section of README about both. */
  private static final String PAGES = "pages";

  private static final String OWNER_ALLOCATION = "owner-allocation";
  private static final String TABLES = "tables.md";
  private static final String FINDINGS = "findings.md";
  private static final String README = "README.md";
  private static final String PICTURE_TRACE = "by-class";
  private static final String PICTURE = "docs/images/by-class.svg";
  private static final String JVM_PICTURE = "docs/images/jvm.svg";
  private static final String CONFINED_PICTURE = "docs/images/confined.svg";
  private static final Map<String, String> PICTURES =
      Map.of(REPLAY, PICTURE, JVM, JVM_PICTURE, CONFINED, CONFINED_PICTURE);
  private static final String NOTHING =
      "Nothing has been measured yet; `docs/benchmarks/measure` does.\n";
  private static final String GENERATED =
      "<!-- Made by docs/benchmarks/update from results.json and env.json: do not edit. -->\n";

  private final Path root;

  BenchmarkDocs(Path root) {
    this.root = root;
  }

  /** The folder of a topic. */
  Path folder(String topic) {
    return root.resolve("docs").resolve("benchmarks").resolve(topic);
  }

  /** Path, relative to the root and with slashes, to the text that the results ask for. */
  Map<String, String> expected() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (String topic : topics()) {
      String page = topic.equals(CONFINED) ? README : TABLES;
      texts.put("docs/benchmarks/" + topic + "/" + page, tables(topic));
    }
    if (isMeasured(REPLAY)) {
      ReplaySection.picture(replays(), PICTURE_TRACE)
          .ifPresent(picture -> texts.put(PICTURE, picture.svg()));
    }
    if (isMeasured(JVM)) {
      texts.put(JVM_PICTURE, JvmSection.picture(result(JVM, JvmComparison.class).jvms()).svg());
    }
    if (isMeasured(CONFINED)) {
      texts.put(CONFINED_PICTURE, ConfinedSection.picture(confined()).svg());
    }
    Path readme = root.resolve(README);
    if (Files.exists(readme)) {
      String text = MarkedSection.replace(README, Files.readString(readme), section());
      text = MarkedSection.replaceNamed(README, text, CONFINED, confinedSection());
      text = MarkedSection.replaceNamed(README, text, PAGES, pagesSection());
      texts.put(README, MarkedSection.replaceNamed(README, text, PRETOUCH, pretouchSection()));
    }
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

  private List<String> topics() throws IOException {
    Path benchmarks = folder("");
    if (!Files.isDirectory(benchmarks)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(benchmarks)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve(RESULTS)))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  private String tables(String topic) throws IOException {
    String sections =
        switch (topic) {
          case REPLAY -> markdown(ReplaySection.of(replays()));
          case JVM -> {
            JvmComparison comparison = result(JVM, JvmComparison.class);
            yield markdown(JvmSection.of(comparison.workload(), comparison.jvms()));
          }
          case MEDIUM -> MediumTables.sections(results(topic));
          case CONFINED -> markdown(ConfinedSection.of(confined()));
          case BUFFERS -> markdown(BuffersSection.of(buffers(), List.of()));
          case CHURN -> markdown(ChurnSection.of(result(CHURN, ChurnMeasurement.class)));
          case BURST -> markdown(BurstSection.of(result(BURST, BurstMeasurement.class)));
          case PRETOUCH ->
              markdown(PretouchSection.of(result(PRETOUCH, PretouchMeasurement.class)));
          case FIRST_USE ->
              markdown(FirstUseSection.of(result(FIRST_USE, FirstUseMeasurement.class)));
          case PROXY -> markdown(ProxySection.of(result(PROXY, ProxyMeasurement.class)));
          default -> JmhTables.sections(JmhResult.all(results(topic)));
        };
    String head = GENERATED + "\n# " + topic + "\n\n" + environment(topic) + "\n";
    String picture =
        PICTURES.containsKey(topic)
            ? "\n![%s](../../../%s)\n".formatted(topic, PICTURES.get(topic))
            : "";
    return head + picture + sections + findings(topic);
  }

  /** What was seen, and all that the report shows but for its charts. */
  private static String markdown(Section section) {
    StringBuilder text = new StringBuilder("\n");
    section.findings().forEach(finding -> text.append("- ").append(finding).append('\n'));
    return text + Plain.markdown(section.parts());
  }

  private String section() throws IOException {
    List<String> topics = topics();
    StringBuilder text = new StringBuilder();
    if (topics.contains(REPLAY)) {
      text.append(Summaries.replay(replays()));
      text.append("\nMeasured on ").append(environment(REPLAY)).append("\n");
    }
    if (topics.contains(JVM)) {
      text.append(text.isEmpty() ? "" : "\n");
      text.append(
          "![Metaspace committed by real JVMs, over what they use](%s)\n\n".formatted(JVM_PICTURE));
      text.append(Summaries.jvm(result(JVM, JvmComparison.class).jvms()));
      text.append("\nMeasured on ").append(environment(JVM)).append("\n");
    }
    if (topics.contains(OWNER_ALLOCATION)) {
      Map<String, String> columns = new LinkedHashMap<>();
      columns.put("OwnerAllocation", "allocation alone");
      columns.put("OwnerAllocationWritten", "every word written");
      List<JmhResult> figures =
          JmhResult.all(results(OWNER_ALLOCATION)).stream()
              .filter(figure -> columns.containsKey(figure.group()))
              .toList();
      text.append(text.isEmpty() ? "" : "\n");
      text.append(JmhTables.sideBySide(figures, columns));
      text.append("\nMeasured on ").append(environment(OWNER_ALLOCATION)).append("\n");
    }
    return text.isEmpty() ? NOTHING : text.toString();
  }

  private String confinedSection() throws IOException {
    if (!topics().contains(CONFINED)) {
      return NOTHING;
    }
    return "![Time of an arena over its size, by factory](%s)\n\n".formatted(CONFINED_PICTURE)
        + Summaries.confined(confined())
        + "\nMeasured on "
        + environment(CONFINED)
        + " All figures: [docs/benchmarks/confined](docs/benchmarks/confined/README.md).\n";
  }

  private String pagesSection() throws IOException {
    List<String> measured = Stream.of(CHURN, BURST).filter(this::isMeasured).toList();
    if (measured.isEmpty()) {
      return NOTHING;
    }
    StringBuilder text = new StringBuilder();
    text.append(
        Summaries.pages(
            isMeasured(CHURN) ? result(CHURN, ChurnMeasurement.class) : null,
            isMeasured(BURST) ? result(BURST, BurstMeasurement.class) : null));
    for (String topic : measured) {
      text.append("\n`%s` was measured on ".formatted(topic)).append(environment(topic));
      text.append(
          " All figures: [docs/benchmarks/%1$s](docs/benchmarks/%1$s/tables.md).\n"
              .formatted(topic));
    }
    return text.toString();
  }

  private String pretouchSection() throws IOException {
    return isMeasured(PRETOUCH)
        ? Summaries.pretouch(result(PRETOUCH, PretouchMeasurement.class))
            + "\nMeasured on "
            + environment(PRETOUCH)
            + " All figures: [docs/benchmarks/pretouch](docs/benchmarks/pretouch/tables.md).\n"
        : NOTHING;
  }

  private boolean isMeasured(String topic) {
    return Files.exists(folder(topic).resolve(RESULTS));
  }

  /** What people have found out about the figures stands in a document that they write. */
  private String findings(String topic) {
    return Files.exists(folder(topic).resolve(FINDINGS))
        ? "\nWhat is behind these figures: [%s](%s).\n".formatted(FINDINGS, FINDINGS)
        : "";
  }

  private List<TraceReplay> replays() throws IOException {
    return List.of(result(REPLAY, TraceReplay[].class));
  }

  private JmhMeasurement<BufferCell> buffers() throws IOException {
    return Json.read(results(BUFFERS), new TypeReference<JmhMeasurement<BufferCell>>() {});
  }

  private JmhMeasurement<ConfinedCell> confined() throws IOException {
    return Json.read(results(CONFINED), new TypeReference<JmhMeasurement<ConfinedCell>>() {});
  }

  private <T> T result(String topic, Class<T> type) throws IOException {
    return Json.read(folder(topic).resolve(RESULTS), type);
  }

  private JsonNode results(String topic) throws IOException {
    return result(topic, JsonNode.class);
  }

  private String environment(String topic) throws IOException {
    return Environment.read(folder(topic).resolve(ENVIRONMENT)).sentence();
  }
}
