package dev.arenal.lab.buffers;

import java.util.HashMap;
import java.util.Map;

/** The words {@code name=value} on a child's command line. */
final class ChildWords {
  private final Map<String, String> values = new HashMap<>();

  ChildWords(String[] words) {
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("word is missing: name=" + name);
    }
    return value;
  }

  long number(String name) {
    return Long.parseLong(text(name));
  }

  int integer(String name) {
    return Integer.parseInt(text(name));
  }

  double decimal(String name) {
    return Double.parseDouble(text(name));
  }
}
