package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.confined.ConfinedResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measurements of confined arenas as JSON. A figure that does not exist is null. */
final class ConfinedJson {
  private static final double THOUSANDTHS = 1000;

  private ConfinedJson() {}

  static ObjectNode object(List<ConfinedResult> results) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode array = node.putArray("results");
    for (ConfinedResult result : results) {
      ObjectNode entry = array.addObject();
      entry.put("shape", result.cell().shape().label());
      entry.put("sizeBytes", result.cell().sizeBytes());
      entry.put("threads", result.cell().threads());
      entry.put("factory", result.cell().factory().label());
      entry.put("nanosPerOperation", rounded(result.nanosPerOperation()));
      entry.put("errorNanos", rounded(result.errorNanos()));
      entry.put("bytesPerOperation", rounded(result.bytesPerOperation()));
    }
    return node;
  }

  private static @Nullable Double rounded(@Nullable Double value) {
    return value == null ? null : Math.round(value * THOUSANDTHS) / THOUSANDTHS;
  }
}
