package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The report as one file: charts drawn, data and script inside, nothing fetched from anywhere.
 *
 * <p>The charts are whole without the script; it only adds the figures under the pointer.
 */
final class HtmlReport {
  private HtmlReport() {}

  static String page(List<Section> sections, Environment environment) throws IOException {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.set("environment", environment.json());
    ArrayNode results = data.putArray("results");
    sections.forEach(section -> results.addAll(section.json()));
    return resource("report.html")
        .replace("{{style}}", resource("report.css"))
        .replace("{{findings}}", findings(sections))
        .replace("{{sections}}", String.join("\n", sections.stream().map(Section::html).toList()))
        .replace("{{environment}}", environment(environment))
        .replace("{{script}}", resource("report.js"))
        // Last, so that nothing in the data is taken for a place to fill.
        .replace("{{data}}", Markup.scriptSafe(data.toString()));
  }

  private static String findings(List<Section> sections) {
    List<String> sentences = new ArrayList<>();
    sections.forEach(section -> sentences.addAll(section.findings()));
    if (sentences.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<div class=\"findings\">\n");
    for (String sentence : sentences) {
      html.append("<p>").append(Markup.escape(sentence)).append("</p>\n");
    }
    return html.append("</div>\n").toString();
  }

  private static String environment(Environment environment) {
    StringBuilder html = new StringBuilder("<dl>\n");
    environment
        .facts()
        .forEach((name, value) ->
            html.append(
                "<dt>%s</dt><dd>%s</dd>\n".formatted(Markup.escape(name), Markup.escape(value))));
    return html.append("</dl>\n").toString();
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("part of the report is missing from this build: name=" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
