package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.buffers.BufferSizes;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnPoint;
import dev.arenal.lab.buffers.ChurnResult;

/** A churn as JSON. A figure that does not exist is null. */
final class ChurnJson {
  private static final double THOUSANDTHS = 1000;

  private ChurnJson() {}

  static ObjectNode object(ChurnMeasurement measurement) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("operations", measurement.plan().countOperations());
    node.set("sizes", sizes(measurement.plan().sizes()));
    ArrayNode results = node.putArray("results");
    measurement.results().forEach(result -> results.add(result(result)));
    ArrayNode controls = node.putArray("controls");
    for (ChurnResult control : measurement.controls()) {
      ObjectNode entry = controls.addObject();
      entry.put("threads", control.countThreads());
      entry.put("nanosPerOperation", rounded(control.nanosPerOperation()));
      entry.put("medianNanosPerOperation", rounded(control.medianNanosPerOperation()));
    }
    return node;
  }

  static ObjectNode sizes(BufferSizes sizes) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("leastBytes", sizes.leastBytes());
    node.put("medianBytes", sizes.medianBytes());
    node.put("mostBytes", sizes.mostBytes());
    node.put("sigma", sizes.sigma());
    node.put("seed", sizes.seed());
    return node;
  }

  private static ObjectNode result(ChurnResult result) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("allocator", result.kind().label());
    node.put("library", result.library());
    node.put("threads", result.countThreads());
    node.put("nanosPerOperation", rounded(result.nanosPerOperation()));
    node.put("medianNanosPerOperation", rounded(result.medianNanosPerOperation()));
    node.put("liveBytes", result.end().liveBytes());
    node.put("residentBytes", result.end().residentBytes());
    node.put("mostResidentPerLive", rounded(result.mostResidentPerLive()));
    node.put("keptBytes", result.keptBytes());
    node.put("trimmedBytes", result.trimmedBytes());
    node.put("freedByOthers", rounded(result.freedForOthers()));
    ArrayNode timeline = node.putArray("timeline");
    for (ChurnPoint point : result.points()) {
      timeline.addArray().add(point.operation()).add(point.liveBytes()).add(point.residentBytes());
    }
    return node;
  }

  static double rounded(double value) {
    return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
  }
}
