package dev.arenal.micrometer;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.TreeMap;

/** The text of a scrape, read as a server would. */
record Scrape(Map<String, Double> samples) {
  static Scrape of(PrometheusMeterRegistry registry) {
    Map<String, Double> samples = new TreeMap<>();
    registry
        .scrape()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          int blank = line.lastIndexOf(' ');
          String value = line.substring(blank + 1).replace("Inf", "Infinity");
          if (samples.put(line.substring(0, blank), Double.parseDouble(value)) != null) {
            throw new AssertionError("a server sees it twice: " + line);
          }
        });
    return new Scrape(samples);
  }

  /** The value of one sample; NaN if it is not there, as a server sees it. */
  double value(String metric, String allocator, String kind) {
    String key = metric + "{allocator=\"" + allocator + "\",kind=\"" + kind + "\"}";
    return samples.getOrDefault(key, Double.NaN);
  }

  /** The number of samples of one allocator. */
  long count(String allocator) {
    String tag = "{allocator=\"" + allocator + "\"";
    return samples.keySet().stream().filter(key -> key.contains(tag)).count();
  }
}
