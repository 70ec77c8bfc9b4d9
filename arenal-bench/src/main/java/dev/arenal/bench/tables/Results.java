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
import dev.arenal.lab.report.Environment;
import dev.arenal.lab.result.Json;
import dev.arenal.lab.roundtrip.BufferCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

  <T> T read(String topic, Class<T> type) throws IOException {
    return Json.read(folder(topic).resolve(RESULTS), type);
  }

  /** The results of a topic; empty if it has none, as below. */
  <T> Optional<T> find(String topic, Class<T> type) throws IOException {
    boolean isMeasured = Files.exists(folder(topic).resolve(RESULTS));
    return isMeasured ? Optional.of(read(topic, type)) : Optional.empty();
  }

  Optional<List<TraceReplay>> replays() throws IOException {
    return find(Topics.REPLAY, TraceReplay[].class).map(Arrays::asList);
  }

  Optional<JvmComparison> jvms() throws IOException {
    return find(Topics.JVM, JvmComparison.class);
  }

  Optional<JmhMeasurement<ConfinedCell>> confined() throws IOException {
    return find(Topics.CONFINED, new TypeReference<JmhMeasurement<ConfinedCell>>() {});
  }

  Optional<JmhMeasurement<BufferCell>> buffers() throws IOException {
    return find(Topics.BUFFERS, new TypeReference<JmhMeasurement<BufferCell>>() {});
  }

  private <T> Optional<T> find(String topic, TypeReference<T> type) throws IOException {
    Optional<JsonNode> tree = find(topic, JsonNode.class);
    return tree.isEmpty() ? Optional.empty() : Optional.of(Json.read(tree.get(), type));
  }

  Optional<ChurnMeasurement> churn() throws IOException {
    return find(Topics.CHURN, ChurnMeasurement.class);
  }

  Optional<BurstMeasurement> burst() throws IOException {
    return find(Topics.BURST, BurstMeasurement.class);
  }

  Optional<ProxyMeasurement> proxy() throws IOException {
    return find(Topics.PROXY, ProxyMeasurement.class);
  }

  Optional<PretouchMeasurement> pretouch() throws IOException {
    return find(Topics.PRETOUCH, PretouchMeasurement.class);
  }

  /** Where and when, as a sentence. */
  String environment(String topic) throws IOException {
    return Environment.read(folder(topic).resolve(ENVIRONMENT)).sentence();
  }
}
