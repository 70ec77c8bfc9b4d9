package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Takes the paths of a machine out of results: they tell nothing, and show a user's name. */
final class PathScrub {
  /** A slash that begins a name, and all that belongs to it. */
  private static final Pattern PATH = Pattern.compile("(?<![\\w.)])/[\\w.@+-]+(?:/[\\w.@+-]*)*");

  private static final String GONE = "(path)";

  private PathScrub() {}

  /** A copy in which no text has a path in it. */
  static JsonNode clean(JsonNode node) {
    if (node.isTextual()) {
      return TextNode.valueOf(clean(node.asText()));
    }
    JsonNode copy = node.deepCopy();
    if (copy instanceof ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, clean(array.get(i)));
      }
    } else if (copy instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
        object.set(field.getKey(), clean(field.getValue()));
      }
    }
    return copy;
  }

  static String clean(String text) {
    return PATH.matcher(text).replaceAll(GONE);
  }
}
