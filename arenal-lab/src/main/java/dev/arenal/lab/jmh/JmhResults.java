package dev.arenal.lab.jmh;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.arenal.lab.result.Median;
import dev.arenal.lab.result.MedianError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of JMH as results of cells. */
final class JmhResults {
  private static final String TIME_UNIT = "ns/op";
  private static final String THROUGHPUT_UNIT = "ops/ns";
  private static final String HEAP_BYTES = "gc.alloc.rate.norm";
  private static final String VIRTUAL_FLAG = "-Djmh.executor=VIRTUAL";

  private JmhResults() {}

  /** The results of these cells, in their order; a cell without a result is left out. */
  static <C extends JmhCell> List<JmhResult<C>> read(Path file, List<C> cells) throws IOException {
    JsonNode array;
    try {
      array = new ObjectMapper().readTree(Files.readString(file));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException(
          "results of JMH are not JSON: reason=%s (expected what -rf json writes)"
              .formatted(e.getOriginalMessage()),
          e);
    }
    List<JmhResult<C>> results = new ArrayList<>();
    for (C cell : new LinkedHashSet<>(cells)) {
      for (JsonNode node : array) {
        if (isOf(node, cell)) {
          results.add(result(node, cell));
          break;
        }
      }
    }
    return results;
  }

  private static boolean isOf(JsonNode node, JmhCell cell) {
    boolean isVirtual =
        node.path("jvmArgs").valueStream().anyMatch(each -> each.asText().equals(VIRTUAL_FLAG));
    JsonNode params = node.path("params");
    return node.path("benchmark").asText().equals(cell.benchmark())
        && isVirtual == (cell.threads() == JmhThreads.VIRTUAL)
        && node.path("threads").asInt() == cell.threadCount()
        && cell.params().entrySet().stream()
            .allMatch(param -> params.path(param.getKey()).asText().equals(param.getValue()));
  }

  /** A throughput, which is that of all threads, becomes the time that an operation takes one. */
  private static <C extends JmhCell> JmhResult<C> result(JsonNode node, C cell) throws IOException {
    JsonNode metric = node.path("primaryMetric");
    String unit = metric.path("scoreUnit").asText();
    int threadCount = node.path("threads").asInt();
    boolean isTime = unit.equals(TIME_UNIT);
    List<Double> nanos =
        samples(metric).stream().map(value -> isTime ? value : threadCount / value).toList();
    Double median = median(nanos);
    if (median == null || !(isTime || unit.equals(THROUGHPUT_UNIT))) {
      throw new IOException(
          "result of JMH has no time: %s, unit=%s (expected iterations in %s or %s)"
              .formatted(cell.describe(), unit, TIME_UNIT, THROUGHPUT_UNIT));
    }
    return new JmhResult<>(
        cell,
        median,
        MedianError.of(nanos),
        median(samples(node.path("secondaryMetrics").path(HEAP_BYTES))));
  }

  private static @Nullable Double median(List<Double> samples) {
    return Median.of(samples, sample -> sample);
  }

  /** All iterations of all forks. */
  private static List<Double> samples(JsonNode metric) {
    return metric
        .path("rawData")
        .valueStream()
        .flatMap(JsonNode::valueStream)
        .filter(JsonNode::isNumber)
        .map(JsonNode::asDouble)
        .toList();
  }
}
