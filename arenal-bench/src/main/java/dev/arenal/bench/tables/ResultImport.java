package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.report.Environment;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Brings what JMH or the lab wrote into the folder of its topic. */
final class ResultImport {
  /** Fields of JMH that name the machine or depend on the place of the repository. */
  private static final List<String> PRIVATE_FIELDS = List.of("jvm", "jvmArgs");

  /** Where the JVM lies, and what it said about this machine. */
  private static final List<String> JVM_PRIVATE_FIELDS =
      List.of("path", "failure", "notes", "report");

  /** Topics that have a file of their own name. */
  private static final List<String> OTHERS =
      List.of(
          Topics.CONFINED,
          Topics.MEDIUM,
          Topics.BUFFERS,
          Topics.CHURN,
          Topics.BURST,
          Topics.PRETOUCH,
          Topics.FIRST_USE,
          Topics.SPARK,
          Topics.PROXY);

  private ResultImport() {}

  /** The raw figures of all runs without what is private, and the environment beside them. */
  static void jmh(List<Path> files, Path topic, String commit) throws IOException {
    ArrayNode results = JsonNodeFactory.instance.arrayNode();
    for (Path file : files) {
      JsonNode array = read(file);
      if (!array.isArray() || array.isEmpty() || !array.path(0).has("primaryMetric")) {
        throw new IOException(
            "file has no results of JMH: file=" + file + " (expected what -rf json writes)");
      }
      for (JsonNode node : array) {
        ObjectNode result = node.deepCopy();
        result.remove(PRIVATE_FIELDS);
        results.add(result);
      }
    }
    JsonNode first = results.path(0);
    String jvm = first.path("vmName").asText() + " " + first.path("vmVersion").asText();
    Map<String, Object> environment = environment(Environment.here().facts().entrySet(), commit);
    environment.replace("jvm", jvm);
    environment.put("load", load());
    environment.put("jmh", method(first));
    write(topic.resolve(Results.RESULTS), results);
    write(topic.resolve(Results.ENVIRONMENT), environment);
  }

  /**
   * The figures of {@code ./arenal lab --out FOLDER}, or of one of its experiments alone, without
   * what is private.
   *
   * @param variant see {@link Topics#variant}
   */
  static void lab(Path folder, Results places, String variant, String commit) throws IOException {
    Map<String, JsonNode> found = new LinkedHashMap<>();
    Path replays = folder.resolve(Results.RESULTS);
    if (Files.exists(replays)) {
      JsonNode results = read(replays);
      if (!results.path(0).has("trace")) {
        throw nothingThere(folder);
      }
      found.put(Topics.REPLAY, PathScrub.clean(results));
    }
    Path jvms = folder.resolve(Topics.JVM + ".json");
    if (Files.exists(jvms)) {
      found.put(Topics.JVM, jvms(read(jvms), folder));
    }
    // Of others the lab measures a few beside these two, which is less than the documents quote.
    for (String topic : OTHERS) {
      Path file = folder.resolve(topic + ".json");
      if (found.isEmpty() && Files.exists(file)) {
        found.put(topic, others(topic, read(file), folder));
      }
    }
    if (found.isEmpty()) {
      throw nothingThere(folder);
    }
    Map<String, Object> environment =
        environment(read(folder.resolve(Results.ENVIRONMENT)).properties(), commit);
    for (Map.Entry<String, JsonNode> topic : found.entrySet()) {
      Path place = places.folder(Topics.variant(topic.getKey(), variant));
      write(place.resolve(Results.RESULTS), topic.getValue());
      write(place.resolve(Results.ENVIRONMENT), environment);
    }
  }

  /** With the commit behind the date, if it is known. */
  private static Map<String, Object> environment(
      Set<? extends Map.Entry<String, ?>> facts, String commit) {
    Map<String, Object> environment = new LinkedHashMap<>();
    for (Map.Entry<String, ?> fact : facts) {
      environment.put(fact.getKey(), fact.getValue());
      if (fact.getKey().equals("date") && !commit.isEmpty()) {
        environment.put("commit", commit);
      }
    }
    return environment;
  }

  /** A JVM that died half-way has figures too, but none that a document should quote. */
  private static JsonNode jvms(JsonNode results, Path folder) throws IOException {
    ObjectNode clean = JsonNodeFactory.instance.objectNode();
    ArrayNode jvms = clean.putArray("jvms");
    for (JsonNode jvm : results.path("jvms")) {
      if (jvm.path("failure").isTextual()) {
        throw new IOException(
            "a JVM of this run failed: folder=%s, jvm=%s, failure=%s (expected one that is whole)"
                .formatted(folder, jvm.path("label").asText(), jvm.path("failure").asText()));
      }
      ObjectNode figures = PathScrub.clean(jvm).deepCopy();
      figures.remove(JVM_PRIVATE_FIELDS);
      jvms.add(figures);
    }
    if (jvms.isEmpty()) {
      throw nothingThere(folder);
    }
    if (results.has("workload")) {
      clean.set("workload", PathScrub.clean(results.path("workload")));
    }
    return clean;
  }

  private static JsonNode others(String topic, JsonNode results, Path folder) throws IOException {
    JsonNode rows = results.path(topic.equals(Topics.MEDIUM) ? "runs" : "results");
    if (!rows.isArray() || rows.isEmpty()) {
      throw nothingThere(folder);
    }
    if (topic.equals(Topics.MEDIUM)) {
      checkPairs(rows, folder);
    }
    if (topic.equals(Topics.SPARK)) {
      SparkTables.checkHashes(rows, folder);
    }
    return PathScrub.clean(results);
  }

  /**
   * As many runs of one variant as of the other, or a document would compare what it should not.
   */
  private static void checkPairs(JsonNode runs, Path folder) throws IOException {
    int synchronizedCount = 0;
    for (JsonNode run : runs) {
      synchronizedCount += run.path("synchronized").asBoolean() ? 1 : 0;
    }
    if (2 * synchronizedCount != runs.size()) {
      throw new IOException(
          "a run failed: folder=%s, runCount=%d, synchronizedCount=%d (expected half of them)"
              .formatted(folder, runs.size(), synchronizedCount));
    }
  }

  private static JsonNode read(Path file) throws IOException {
    return Json.read(file, JsonNode.class);
  }

  private static void write(Path file, Object result) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, Json.text(result));
  }

  private static String load() throws IOException {
    Path file = Path.of("/proc/loadavg");
    return Files.exists(file) ? Files.readString(file).split(" ", 2)[0] : "unknown";
  }

  private static IOException nothingThere(Path folder) {
    return new IOException(
        "folder has no results of the lab: folder="
            + folder
            + " (expected what ./arenal lab --out writes)");
  }

  private static String method(JsonNode result) {
    return "%s forks, %s warm-up and %s measured iterations of %s"
        .formatted(
            result.path("forks").asText(),
            result.path("warmupIterations").asText(),
            result.path("measurementIterations").asText(),
            result.path("measurementTime").asText());
  }
}
