package dev.arenal.bench.tables;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.report.Environment;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The committed results, a folder for each topic. */
final class Results {
  static final String RESULTS = "results.json";
  static final String ENVIRONMENT = "env.json";

  private final Path benchmarks;

  Results(Path root) {
    this.benchmarks = root.resolve("docs").resolve("benchmarks");
  }

  /** The topics that have results, sorted. */
  List<String> topics() throws IOException {
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

  Path folder(String topic) {
    return benchmarks.resolve(topic);
  }

  boolean isMeasured(String topic) {
    return Files.exists(folder(topic).resolve(RESULTS));
  }

  <T> T read(String topic, Class<T> type) throws IOException {
    return Json.read(folder(topic).resolve(RESULTS), type);
  }

  <T> T read(String topic, TypeReference<T> type) throws IOException {
    return Json.read(Json.read(folder(topic).resolve(RESULTS), JsonNode.class), type);
  }

  /** Where and when, as a sentence. */
  String environment(String topic) throws IOException {
    return Environment.read(folder(topic).resolve(ENVIRONMENT)).sentence();
  }
}
