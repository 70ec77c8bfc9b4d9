package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.pretouch.Collector;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchResult;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.pretouch.PretouchSubject;
import dev.arenal.lab.pretouch.Refusal;
import java.util.OptionalDouble;

/** Pretouches as JSON: one object for each subject and size, of medians. */
final class PretouchJson {
  private static final double DIGITS = 1e6;

  private PretouchJson() {}

  static ObjectNode object(PretouchMeasurement measurement) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode results = node.putArray("results");
    measurement.results().forEach(result -> results.add(result(measurement, result)));
    Refusal refusal = measurement.refusal();
    if (refusal != null) {
      ObjectNode child = node.putObject("refusal");
      child.put("askedBytes", refusal.askedBytes());
      child.put("millis", rounded(refusal.millis()));
      child.put("firstUseMillis", rounded(refusal.firstUseMillis()));
      child.put("message", refusal.message());
      child.put("residentBytes", refusal.residentBytes());
      child.put("killed", refusal.countKilled() < 0 ? null : (Long) refusal.countKilled());
    }
    return node;
  }

  private static ObjectNode result(PretouchMeasurement measurement, PretouchResult result) {
    PretouchSubject subject = result.subject();
    Collector collector = subject.collector();
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("subject", subject.kind().label());
    node.put("sizeBytes", result.sizeBytes());
    node.put("collector", collector == null ? null : collector.label());
    node.put("pretouch", subject.pretouch());
    node.put("hugePages", subject.hugePages());
    node.put("method", subject.method().label());
    node.put("threads", subject.countThreads());
    node.put("wallSeconds", rounded(result.wallSeconds()));
    node.put("userSeconds", rounded(result.userSeconds()));
    node.put("systemSeconds", rounded(result.systemSeconds()));
    node.put("residentBytes", result.residentBytes());
    node.put("jvm", subject.jvm());
    node.put("runs", result.samples().size());
    node.put("leastWallSeconds", rounded(result.leastSeconds()));
    node.put("mostWallSeconds", rounded(result.mostSeconds()));
    OptionalDouble touch = measurement.touchSeconds(result);
    node.put("touchSeconds", touch.isPresent() ? (Double) rounded(touch.getAsDouble()) : null);
    node.put("hugeBytes", result.hugeBytes() < 0 ? null : (Long) result.hugeBytes());
    Double firstUse = result.firstUseSeconds();
    node.put("firstUseSeconds", firstUse == null ? null : (Double) rounded(firstUse));
    Heap heap = result.heap();
    node.put("freeBytes", heap == null ? null : (Long) heap.freeBytes());
    node.put("heapBytes", heap == null ? null : (Long) heap.heapBytes());
    node.put("totalSeconds", heap == null ? null : (Double) rounded(heap.totalSeconds()));
    return node;
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
