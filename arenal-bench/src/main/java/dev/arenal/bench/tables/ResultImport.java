package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Brings what JMH or the lab wrote into the folder of its topic. */
final class ResultImport {
  /** What JMH writes that names the machine or depends on where the repository lies. */
  private static final List<String> PRIVATE_FIELDS = List.of("jvm", "jvmArgs");

  private static final List<String> LAB_FILES =
      List.of(BenchmarkDocs.RESULTS, BenchmarkDocs.ENVIRONMENT);

  private ResultImport() {}

  /** The raw figures without what is private, and the environment beside them. */
  static void jmh(Path file, Path topic, String commit) throws IOException {
    JsonNode array = Json.read(file);
    if (!array.isArray() || array.isEmpty() || !array.path(0).has("primaryMetric")) {
      throw new IOException(
          "file has no results of JMH: file=" + file + " (expected what -rf json writes)");
    }
    ArrayNode results = JsonNodeFactory.instance.arrayNode();
    for (JsonNode node : array) {
      ObjectNode result = node.deepCopy();
      result.remove(PRIVATE_FIELDS);
      results.add(result);
    }
    JsonNode first = array.path(0);
    String jvm = first.path("vmName").asText() + " " + first.path("vmVersion").asText();
    ObjectNode environment = Environment.here(jvm, commit);
    environment.put("jmh", method(first));
    Json.write(topic.resolve(BenchmarkDocs.RESULTS), results);
    Json.write(topic.resolve(BenchmarkDocs.ENVIRONMENT), environment);
  }

  /** The figures of {@code ./arenal lab --out FOLDER}, as they are. */
  static void lab(Path folder, Path topic) throws IOException {
    JsonNode array = Json.read(folder.resolve(BenchmarkDocs.RESULTS));
    if (!array.isArray() || array.isEmpty() || !array.path(0).has("trace")) {
      throw new IOException(
          "folder has no replays: folder=" + folder + " (expected what ./arenal lab --out writes)");
    }
    Files.createDirectories(topic);
    for (String name : LAB_FILES) {
      Files.copy(folder.resolve(name), topic.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
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
