package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Brings what JMH or the lab wrote into the folder of its topic. */
final class ResultImport {
  /** What JMH writes that names the machine or depends on where the repository lies. */
  private static final List<String> PRIVATE_FIELDS = List.of("jvm", "jvmArgs");

  /** What the lab calls its results of real JVMs. */
  private static final String JVM_FILE = "jvm.json";

  /** What the lab calls its results of confined arenas. */
  private static final String CONFINED_FILE = "confined.json";

  /** What the lab calls its results of medium pages. */
  private static final String MEDIUM_FILE = "medium.json";

  /** Where the JVM lies, and what it said about this machine. */
  private static final List<String> JVM_PRIVATE_FIELDS = List.of("path", "failure", "notes");

  private ResultImport() {}

  /** The raw figures of all runs without what is private, and the environment beside them. */
  static void jmh(List<Path> files, Path topic, String commit) throws IOException {
    ArrayNode results = JsonNodeFactory.instance.arrayNode();
    for (Path file : files) {
      JsonNode array = Json.read(file);
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
    ObjectNode environment = Environment.here(jvm, commit);
    environment.put("jmh", method(first));
    Json.write(topic.resolve(BenchmarkDocs.RESULTS), results);
    Json.write(topic.resolve(BenchmarkDocs.ENVIRONMENT), environment);
  }

  /**
   * The figures of {@code ./arenal lab --out FOLDER}, or of one of its experiments alone, without
   * what is private.
   *
   * @return the topics that were there
   */
  static List<String> lab(Path folder, BenchmarkDocs docs, String commit) throws IOException {
    Map<String, JsonNode> found = new LinkedHashMap<>();
    Path replays = folder.resolve(BenchmarkDocs.RESULTS);
    Path jvms = folder.resolve(JVM_FILE);
    Path confined = folder.resolve(CONFINED_FILE);
    if (Files.exists(replays)) {
      found.put(BenchmarkDocs.REPLAY, replays(Json.read(replays), folder));
    }
    if (Files.exists(jvms)) {
      found.put(BenchmarkDocs.JVM, jvms(Json.read(jvms), folder));
    }
    // Beside the others the lab measures a few of them, which is less than the documents quote.
    if (found.isEmpty() && Files.exists(confined)) {
      found.put(BenchmarkDocs.CONFINED, confined(Json.read(confined), folder));
    }
    Path medium = folder.resolve(MEDIUM_FILE);
    if (found.isEmpty() && Files.exists(medium)) {
      found.put(BenchmarkDocs.MEDIUM, medium(Json.read(medium), folder));
    }
    // Neither is its short churn, burst or pretouch quoted.
    for (String topic : List.of(BenchmarkDocs.CHURN, BenchmarkDocs.BURST, BenchmarkDocs.PRETOUCH)) {
      Path file = folder.resolve(topic + ".json");
      if (found.isEmpty() && Files.exists(file)) {
        found.put(topic, loads(Json.read(file), folder));
      }
    }
    if (found.isEmpty()) {
      throw nothingThere(folder);
    }
    ObjectNode environment = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> fact :
        Json.read(folder.resolve(BenchmarkDocs.ENVIRONMENT)).properties()) {
      environment.set(fact.getKey(), fact.getValue());
      if (fact.getKey().equals("date") && !commit.isEmpty()) {
        environment.put("commit", commit);
      }
    }
    for (Map.Entry<String, JsonNode> topic : found.entrySet()) {
      Path place = docs.folder(topic.getKey());
      Json.write(place.resolve(BenchmarkDocs.RESULTS), topic.getValue());
      Json.write(place.resolve(BenchmarkDocs.ENVIRONMENT), environment);
    }
    return List.copyOf(found.keySet());
  }

  private static JsonNode replays(JsonNode results, Path folder) throws IOException {
    if (!results.isArray() || results.isEmpty() || !results.path(0).has("trace")) {
      throw nothingThere(folder);
    }
    return PathScrub.clean(results);
  }

  /** A JVM that died half-way has figures too, but none that a document should quote. */
  private static JsonNode jvms(JsonNode results, Path folder) throws IOException {
    ObjectNode clean = JsonNodeFactory.instance.objectNode();
    ArrayNode jvms = clean.putArray("jvms");
    for (JsonNode jvm : results.path("jvms")) {
      if (jvm.path("failure").isTextual()) {
        throw new IOException(
            "a JVM of this run failed: folder=%s, jvm=%s, failure=%s (expected one that is whole)"
                .formatted(folder, JvmTables.name(jvm), jvm.path("failure").asText()));
      }
      ObjectNode figures = PathScrub.clean(jvm).deepCopy();
      figures.remove(JVM_PRIVATE_FIELDS);
      if (figures.path("valley") instanceof ObjectNode valley) {
        valley.remove("report");
      }
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

  private static JsonNode loads(JsonNode results, Path folder) throws IOException {
    if (!results.path("results").isArray() || results.path("results").isEmpty()) {
      throw nothingThere(folder);
    }
    return PathScrub.clean(results);
  }

  private static JsonNode confined(JsonNode results, Path folder) throws IOException {
    if (!results.path("results").isArray() || results.path("results").isEmpty()) {
      throw nothingThere(folder);
    }
    return PathScrub.clean(results);
  }

  /**
   * As many runs of one variant as of the other, or a document would compare what it should not.
   */
  private static JsonNode medium(JsonNode results, Path folder) throws IOException {
    JsonNode runs = results.path("runs");
    if (!runs.isArray() || runs.isEmpty()) {
      throw nothingThere(folder);
    }
    int countSynchronized = 0;
    for (JsonNode run : runs) {
      countSynchronized += run.path("synchronized").asBoolean() ? 1 : 0;
    }
    if (2 * countSynchronized != runs.size()) {
      throw new IOException(
          "a run failed: folder=%s, countRuns=%d, countSynchronized=%d (expected half of them)"
              .formatted(folder, runs.size(), countSynchronized));
    }
    return PathScrub.clean(results);
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
