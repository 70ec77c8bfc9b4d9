package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results as JSON: an array with one object per trace. A figure that does not exist is null. */
final class ResultsJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final double HUNDREDTHS = 100;

  private ResultsJson() {}

  static ArrayNode array(List<TraceReplay> replays) {
    ArrayNode array = NODES.arrayNode();
    for (TraceReplay replay : replays) {
      ObjectNode trace = array.addObject();
      trace.put("trace", replay.trace());
      trace.put("allocations", replay.countAllocations());
      trace.put("arenas", replay.countArenas());
      ArrayNode results = trace.putArray("results");
      replay.results().forEach(result -> results.add(result(result)));
    }
    return array;
  }

  private static ObjectNode result(AllocatorReplay replay) {
    ObjectNode node = NODES.objectNode();
    node.put("allocator", replay.kind().label());
    node.put("library", replay.library());
    node.put("runs", replay.countRuns());
    node.put("granuleBytes", replay.granuleBytes());
    node.put("wallNanos", replay.wallNanos());
    node.put("nanosPerAllocation", rounded(replay.nanosPerAllocation()));
    node.put("headerBytes", replay.headerBytes());
    node.set("peak", sample(replay.peak()));
    node.set("valley", sample(replay.valley()));
    node.set("secondPeak", sample(replay.secondPeak()));
    node.set("end", sample(replay.end()));
    ArrayNode timeline = node.putArray("timeline");
    for (Sample point : replay.timeline()) {
      timeline
          .addArray()
          .add(point.operation())
          .add(point.usedBytes())
          .add(point.committedBytes())
          .add(point.residentBytes());
    }
    return node;
  }

  private static JsonNode sample(@Nullable Sample sample) {
    if (sample == null) {
      return NODES.nullNode();
    }
    ObjectNode node = NODES.objectNode();
    node.put("usedBytes", sample.usedBytes());
    node.put("committedBytes", sample.committedBytes());
    node.put("residentBytes", sample.residentBytes());
    node.put("wallNanos", sample.wallNanos());
    return node;
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value * HUNDREDTHS) / HUNDREDTHS;
  }
}
