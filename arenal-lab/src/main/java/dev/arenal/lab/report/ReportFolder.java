package dev.arenal.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where reports are written: {@code report.html} for people, {@code results.json} for programs, and
 * {@code env.json} with the machine they are of.
 */
public final class ReportFolder {
  private ReportFolder() {}

  /** Writes the three files; the folder is made if it is missing. */
  public static void write(Path folder, List<Section> sections) throws IOException {
    Environment environment = Environment.here();
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.json"), results(sections));
    Files.writeString(folder.resolve("env.json"), text(environment.json()));
    Files.writeString(folder.resolve("report.html"), HtmlReport.page(sections, environment));
  }

  /** The text of {@code results.json}: the elements of all sections in one array. */
  public static String results(List<Section> sections) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    sections.forEach(section -> array.addAll(section.json()));
    return text(array);
  }

  private static String text(JsonNode node) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(node) + "\n";
    } catch (JsonProcessingException e) {
      throw new AssertionError("a tree of plain values is always writable", e);
    }
  }
}
