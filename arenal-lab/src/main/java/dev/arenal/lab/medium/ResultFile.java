package dev.arenal.lab.medium;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.medium.MediumResult.Moment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;

/**
 * How a result gets from the process that measured it to the one that shows it: through a file,
 * since a JVM may print what it likes on its standard output.
 */
final class ResultFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ResultFile() {}

  static void write(Path file, MediumResult result) throws IOException {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("synchronized", result.isSynchronized());
    node.put("seconds", result.seconds());
    node.put("allocations", result.countAllocations());
    node.set("allocated", figure(result.allocated()));
    node.set("pages", figure(result.pages()));
    node.set("undone", figure(result.undone()));
    node.set("flushed", figure(result.flushed()));
    node.set("defragmented", figure(result.defragmented()));
    node.put("latencies", Latencies.text(result.latencies()));
    ArrayNode timeline = node.putArray("timeline");
    for (Moment moment : result.timeline()) {
      timeline.addArray().add(moment.seconds()).add(moment.allocatedBytes());
    }
    node.put("table", result.table());
    Files.writeString(file, MAPPER.writeValueAsString(node));
  }

  static MediumResult read(Path file) throws IOException {
    try {
      JsonNode node = MAPPER.readTree(Files.readString(file));
      List<Moment> timeline = new ArrayList<>();
      for (JsonNode moment : node.required("timeline")) {
        timeline.add(new Moment(moment.required(0).doubleValue(), moment.required(1).longValue()));
      }
      return new MediumResult(
          node.required("synchronized").booleanValue(),
          node.required("seconds").doubleValue(),
          node.required("allocations").longValue(),
          figure(node.required("allocated")),
          figure(node.required("pages")),
          figure(node.required("undone")),
          figure(node.required("flushed")),
          figure(node.required("defragmented")),
          Latencies.ofText(node.required("latencies").textValue()),
          timeline,
          node.required("table").textValue());
    } catch (IllegalArgumentException | DataFormatException e) {
      throw new IOException("not the result of a run: file=" + file, e);
    }
  }

  private static ObjectNode figure(MediumFigure figure) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("average", figure.average());
    node.put("max", figure.max());
    node.put("total", figure.total());
    return node;
  }

  private static MediumFigure figure(JsonNode node) {
    return new MediumFigure(
        node.required("average").doubleValue(),
        node.required("max").longValue(),
        node.required("total").longValue());
  }
}
