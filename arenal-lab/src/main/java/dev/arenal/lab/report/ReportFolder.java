package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where reports are written: {@code report.html} for people; for programs {@code results.json} with
 * the replays and a file for each other section; {@code env.json} with the machine they are of.
 */
public final class ReportFolder {
  private ReportFolder() {}

  /** Writes all files, or none if one cannot be written. */
  public static void write(Path folder, List<Section> sections) throws IOException {
    Environment environment = Environment.here();
    WholeFile.checkFolder(folder);
    Map<Path, String> texts = new LinkedHashMap<>();
    for (Section section : sections) {
      String name = section.name().equals(Section.REPLAY) ? "results" : section.name();
      texts.put(folder.resolve(name + ".json"), Json.text(section.json()));
    }
    texts.put(folder.resolve("env.json"), Json.text(environment.facts()));
    texts.put(folder.resolve("report.html"), HtmlReport.page(sections, environment));
    WholeFile.writeAll(texts);
  }

  /**
   * All results in one array: those of the replays one by one, as in {@code results.json}, and the
   * objects of other sections behind them.
   */
  public static String results(List<Section> sections) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    for (Section section : sections) {
      if (section.json().isArray()) {
        section.json().forEach(array::add);
      }
    }
    sections.stream().map(Section::json).filter(json -> !json.isArray()).forEach(array::add);
    return Json.text(array);
  }
}
