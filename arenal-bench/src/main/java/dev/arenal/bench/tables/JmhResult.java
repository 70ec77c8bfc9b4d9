package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One figure of JMH.
 *
 * @param group the class of the benchmark, by its simple name; of a nested one the outer class
 * @param contender the method
 * @param params what was set by parameter, and the number of threads where it is not 1
 * @param score time of an operation
 * @param error half of the 99.9 % confidence interval, or NaN
 * @param bytesPerOp bytes on the Java heap per operation, or NaN if they were not measured
 */
record JmhResult(
    String group,
    String contender,
    Map<String, String> params,
    double score,
    double error,
    String unit,
    double bytesPerOp) {

  static final String THREADS = "threads";
  private static final String PACKAGE = "dev.arenal.bench.";

  /** All figures of a results file, in its order. */
  static List<JmhResult> all(JsonNode array) {
    List<JmhResult> results = new ArrayList<>();
    array.forEach(node -> results.add(of(node)));
    return results;
  }

  private static JmhResult of(JsonNode node) {
    String benchmark = node.path("benchmark").asText();
    String[] names =
        benchmark.substring(benchmark.indexOf(PACKAGE) + PACKAGE.length()).split("\\.", -1);
    Map<String, String> params = new LinkedHashMap<>();
    node.path("params")
        .properties()
        .forEach(param -> params.put(param.getKey(), param.getValue().asText()));
    if (names.length > 2) {
      params.put(THREADS, node.path(THREADS).asText());
    }
    JsonNode metric = node.path("primaryMetric");
    return new JmhResult(
        names[0],
        names[names.length - 1],
        params,
        number(metric.path("score")),
        number(metric.path("scoreError")),
        metric.path("scoreUnit").asText(),
        number(node.path("secondaryMetrics").path("gc.alloc.rate.norm").path("score")));
  }

  /** JMH writes what is not a number as a string. */
  private static double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : Double.NaN;
  }
}
