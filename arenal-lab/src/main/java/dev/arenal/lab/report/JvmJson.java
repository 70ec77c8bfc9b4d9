package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.JvmPoint;
import dev.arenal.lab.jvm.Valley;
import dev.arenal.lab.jvm.WorkloadShape;
import java.util.List;

/** Measurements of JVMs as JSON: one object per JVM. A figure that does not exist is null. */
final class JvmJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final double MILLIS = 1000;

  private JvmJson() {}

  static ObjectNode object(WorkloadShape shape, List<JvmMeasurement> measurements) {
    ObjectNode node = NODES.objectNode();
    ArrayNode jvms = node.putArray("jvms");
    measurements.forEach(measurement -> jvms.add(jvm(measurement)));
    node.set("workload", workload(shape));
    return node;
  }

  private static ObjectNode jvm(JvmMeasurement measurement) {
    ObjectNode node = NODES.objectNode();
    node.put("path", measurement.spec().launcher().toString());
    node.put("version", measurement.spec().version());
    node.put("flags", String.join(" ", measurement.flags()));
    node.put("seconds", seconds(measurement.seconds()));
    ArrayNode phases = node.putArray("phases");
    measurement.phases().forEach(phase -> phases.add(phase(phase)));
    ArrayNode timeline = node.putArray("timeline");
    for (JvmPoint point : measurement.timeline()) {
      timeline
          .addArray()
          .add(seconds(point.seconds()))
          .add(point.usedBytes())
          .add(point.committedBytes())
          .add(point.residentBytes());
    }
    node.put("label", measurement.spec().label());
    node.put("isStock", measurement.spec().isStock());
    node.put("heapBytes", measurement.heapBytes());
    node.set("valley", valley(measurement));
    ArrayNode notes = node.putArray("notes");
    measurement.notes().forEach(notes::add);
    node.put("failure", measurement.failure());
    return node;
  }

  private static ObjectNode phase(JvmPhase phase) {
    ObjectNode node = NODES.objectNode();
    node.put("label", phase.label());
    node.put("usedBytes", phase.usedBytes());
    node.put("committedBytes", phase.committedBytes());
    node.put("residentBytes", phase.residentBytes());
    node.put("seconds", seconds(phase.seconds()));
    return node;
  }

  private static JsonNode valley(JvmMeasurement measurement) {
    Valley valley = measurement.valley();
    if (valley == null && measurement.reportText().isEmpty()) {
      return NODES.nullNode();
    }
    ObjectNode node = NODES.objectNode();
    node.put("phase", WorkloadShape.valleyLabel());
    node.put("usedBytes", valley == null ? null : valley.usedBytes());
    node.put("committedBytes", valley == null ? null : valley.committedBytes());
    node.put("freeChunksBytes", valley == null ? null : valley.freeChunksBytes());
    node.put("freeInChunksInUseBytes", valley == null ? null : valley.freeInChunksBytes());
    node.put("wasteBytes", valley == null ? null : valley.wasteBytes());
    node.put("otherBytes", valley == null ? null : valley.otherBytes());
    node.put("reportCountsFreeChunksTwice", valley == null ? null : valley.isCountedTwice());
    node.put("report", measurement.reportText());
    return node;
  }

  private static ObjectNode workload(WorkloadShape shape) {
    ObjectNode node = NODES.objectNode();
    node.put("generations", shape.countGenerations());
    node.put("loaders", shape.countLoaders());
    node.put("classes", shape.countClasses());
    node.put("size", shape.size());
    node.put("interleave", shape.interleave());
    node.put("cycles", shape.countCycles());
    node.put("pauseMillis", shape.pauseMillis());
    return node;
  }

  private static double seconds(double seconds) {
    return Math.round(seconds * MILLIS) / MILLIS;
  }
}
