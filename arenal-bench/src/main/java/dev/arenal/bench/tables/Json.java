package dev.arenal.bench.tables;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Result files as trees. */
final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static JsonNode read(Path file) throws IOException {
    try {
      return MAPPER.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new IOException(
          "file is not JSON: file=%s, line=%d (expected what JMH or the lab wrote)"
              .formatted(file, e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
          e);
    }
  }

  static void write(Path file, JsonNode node) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, text(node));
  }

  private static String text(JsonNode node) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node) + "\n";
    } catch (JsonProcessingException e) {
      throw new AssertionError("a tree of plain values is always writable", e);
    }
  }
}
