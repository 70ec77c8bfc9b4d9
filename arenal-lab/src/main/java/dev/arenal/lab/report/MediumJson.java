package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.medium.MediumFigure;
import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumResult;
import org.HdrHistogram.Histogram;

/** Measurements of medium pages as JSON, an object for each run. */
final class MediumJson {
  private static final double THOUSANDTHS = 1000;

  private MediumJson() {}

  static ObjectNode object(MediumMeasurement measurement) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode runs = node.putArray("runs");
    for (MediumResult result : measurement.results()) {
      ObjectNode run = runs.addObject();
      run.put("synchronized", result.isSynchronized());
      run.put("threads", measurement.plan().countThreads());
      run.put("seconds", measurement.plan().seconds());
      run.put("elapsedSeconds", rounded(result.seconds()));
      run.put("capacityBytes", measurement.plan().capacityBytes());
      run.put("allocations", result.countAllocations());
      run.set("bytesPerSecond", figure(result.allocated()));
      run.set("pageBytesPerSecond", figure(result.pages()));
      run.set("undoPageAllocations", figure(result.undone()));
      run.set("pageCacheFlushBytes", figure(result.flushed()));
      run.set("defragments", figure(result.defragmented()));
      run.set("latencyNanos", latency(result.latencies()));
    }
    return node;
  }

  private static ObjectNode figure(MediumFigure figure) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("avg", rounded(figure.average()));
    node.put("max", figure.max());
    node.put("total", figure.total());
    return node;
  }

  private static ObjectNode latency(Histogram histogram) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("p50", histogram.getValueAtPercentile(50));
    node.put("p99", histogram.getValueAtPercentile(99));
    node.put("p999", histogram.getValueAtPercentile(99.9));
    node.put("max", histogram.getMaxValue());
    return node;
  }

  private static double rounded(double value) {
    return Math.round(value * THOUSANDTHS) / THOUSANDTHS;
  }
}
