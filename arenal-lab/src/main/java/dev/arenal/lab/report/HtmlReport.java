package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The report as one file: charts drawn, data and script inside, nothing fetched from anywhere.
 *
 * <p>The page is whole without the script, which adds the figures under the pointer, the buttons
 * and the other colours.
 */
final class HtmlReport {
  private HtmlReport() {}

  static String page(List<Section> sections, Environment environment) throws IOException {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.set("environment", environment.json());
    StringBuilder verdicts = new StringBuilder();
    StringBuilder bodies = new StringBuilder();
    for (Section section : sections) {
      data.set(section.name(), section.json());
      verdicts.append(verdict(section));
      bodies.append(body(section));
    }
    return resource("report.html")
        .replace("{{style}}", resource("report.css"))
        .replace("{{script}}", resource("report.js"))
        .replace("{{measured}}", Markup.escape(measured(environment)))
        .replace("{{verdicts}}", verdicts)
        .replace("{{machine}}", machine(environment))
        // Last, so that nothing in names and data is taken for a place to fill.
        .replace("{{sections}}", bodies)
        .replace("{{data}}", Markup.scriptSafe(data.toString()));
  }

  /** The line for who reads nothing else. */
  private static String verdict(Section section) {
    String headline = section.headline().isEmpty() ? "No figures to compare." : section.headline();
    String failures =
        section.failures().isEmpty()
            ? ""
            : " <a class=\"failed\" href=\"#%s-failures\">%s failed</a>"
                .formatted(section.name(), Figures.count(section.failures().size()));
    return "<li><a href=\"#%s\">%s</a><p>%s%s</p></li>\n"
        .formatted(
            section.name(), Markup.escape(section.title()), Markup.escape(headline), failures);
  }

  private static String body(Section section) {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <section class="experiment" id="%s">
        <h2>%s</h2>
        """
            .formatted(section.name(), Markup.escape(section.title())));
    if (!section.findings().isEmpty()) {
      html.append("<ul class=\"findings\">\n");
      for (String sentence : section.findings()) {
        html.append("<li>").append(Markup.escape(sentence)).append("</li>\n");
      }
      html.append("</ul>\n");
    }
    if (!section.failures().isEmpty()) {
      html.append(
          """
          <div class="failures" id="%s-failures">
          <h3>What failed</h3>
          """
              .formatted(section.name()));
      for (String failure : section.failures()) {
        html.append("<pre>").append(Markup.escape(failure)).append("</pre>\n");
      }
      html.append("</div>\n");
    }
    return html.append(section.html()).append("</section>\n").toString();
  }

  /** Where and when in one line; the rest is at the end of the page. */
  private static String measured(Environment environment) {
    Map<String, String> facts = environment.facts();
    return "%s · %s · %s, %s cores, %s · %s"
        .formatted(
            facts.getOrDefault("date", Figures.NONE),
            facts.getOrDefault("jvm", Figures.NONE),
            facts.getOrDefault("processor", Figures.NONE),
            facts.getOrDefault("cores", Figures.NONE),
            facts.getOrDefault("memory", Figures.NONE),
            facts.getOrDefault("kernel", Figures.NONE));
  }

  private static String machine(Environment environment) {
    StringBuilder html = new StringBuilder("<dl>\n");
    environment
        .facts()
        .forEach((name, value) ->
            html.append(
                "<dt>%s</dt><dd>%s</dd>\n".formatted(Markup.escape(name), Markup.escape(value))));
    return html.append("</dl>\n").toString();
  }

  /** A part of the page that is the same in all reports. */
  static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("part of the report is missing from this build: name=" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
