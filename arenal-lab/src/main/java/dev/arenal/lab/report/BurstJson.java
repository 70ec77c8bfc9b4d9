package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.BurstPoint;
import dev.arenal.lab.buffers.BurstResult;

/** A burst as JSON. */
final class BurstJson {
  private static final double MILLIS = 1e3;

  private BurstJson() {}

  static ObjectNode object(BurstMeasurement measurement) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("burstBytes", measurement.plan().burstBytes());
    node.put("idleSeconds", measurement.plan().idle().toMillis() / MILLIS);
    node.put("uncommitDelaySeconds", measurement.plan().uncommitDelay().toMillis() / MILLIS);
    node.set("sizes", ChurnJson.sizes(measurement.plan().sizes()));
    ArrayNode results = node.putArray("results");
    measurement.results().forEach(result -> results.add(result(result)));
    return node;
  }

  private static ObjectNode result(BurstResult result) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("allocator", result.kind().label());
    node.put("library", result.library());
    node.put("threads", result.countThreads());
    node.put("survivors", result.hasSurvivors());
    node.put("peakResidentBytes", result.peakResidentBytes());
    node.put("survivorBytes", result.survivorBytes());
    node.put("freedSeconds", ChurnJson.rounded(result.freedSeconds()));
    node.put("freedResidentBytes", result.freedResidentBytes());
    node.put("idleResidentBytes", result.idleResidentBytes());
    ArrayNode timeline = node.putArray("timeline");
    for (BurstPoint point : result.points()) {
      timeline.addArray().add(ChurnJson.rounded(point.seconds())).add(point.residentBytes());
    }
    return node;
  }
}
