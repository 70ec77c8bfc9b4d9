package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Html;
import dev.arenal.lab.figure.Markup;
import dev.arenal.lab.result.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The report as one file: charts drawn, data and script inside, nothing fetched from anywhere.
 *
 * <p>The page is whole without the script, which adds the figures under the pointer, the buttons
 * and the other colours.
 */
final class HtmlReport {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private HtmlReport() {}

  static String page(List<Section> sections, Environment environment) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("environment", environment.facts());
    Markup verdicts = new Markup();
    Markup bodies = new Markup();
    for (Section section : sections) {
      data.put(section.name(), section.json());
      verdict(verdicts, section);
      body(bodies, section);
    }
    Map<String, String> texts =
        Map.of(
            "style", Html.resource("report.css"),
            "script", Html.resource("report.js"),
            "heading", new Markup().text(heading(sections)).toString(),
            "measured", new Markup().text(measured(environment)).toString(),
            "verdicts", verdicts.toString(),
            "machine", machine(environment),
            "sections", bodies.toString(),
            // No closing tag in a text can end the script early.
            "data", Json.tree(data).toString().replace("<", "\\u003c"));
    // All at once, so that nothing in names and data is taken for a place to fill.
    return PLACE
        .matcher(Html.resource("report.html"))
        .replaceAll(
            place -> Matcher.quoteReplacement(Objects.requireNonNull(texts.get(place.group(1)))));
  }

  /** What the page is about: the experiment, or all of them. */
  private static String heading(List<Section> sections) {
    return sections.size() == 1 ? sections.getFirst().title() : "Memory kept when the work is done";
  }

  /** The line for a reader in a hurry. */
  private static void verdict(Markup html, Section section) {
    html.open("li").text("a", section.title(), "href", "#" + section.name()).open("p");
    html.text(section.headline().isEmpty() ? "No figures to compare." : section.headline());
    if (!section.failures().isEmpty()) {
      String count = Figures.count(section.failures().size()) + " failed";
      String place = "#%s-failures".formatted(section.name());
      html.text(" ").text("a", count, "class", "failed", "href", place);
    }
    html.close().close().text("\n");
  }

  private static void body(Markup html, Section section) {
    html.open("section", "class", "experiment", "id", section.name()).text("\n");
    html.text("h2", section.title()).text("\n");
    if (!section.findings().isEmpty()) {
      html.open("ul", "class", "findings");
      section.findings().forEach(finding -> html.text("\n").text("li", finding));
      html.close().text("\n");
    }
    if (!section.failures().isEmpty()) {
      html.open("div", "class", "failures", "id", section.name() + "-failures");
      html.text("h3", "What failed");
      section.failures().forEach(failure -> html.text("\n").text("pre", failure));
      html.close().text("\n");
    }
    html.insert(Html.of(section.parts())).close().text("\n");
  }

  /** Where and when in one line; the rest is at the end of the page. */
  private static String measured(Environment environment) {
    return List.of("date", "jvm", "processor", "cores", "memory", "kernel").stream()
        .map(name -> {
          String fact = environment.facts().getOrDefault(name, Figures.NONE);
          return name.equals("cores") ? fact + " cores" : fact;
        })
        .collect(Collectors.joining(" · "));
  }

  private static String machine(Environment environment) {
    Markup html = new Markup();
    html.open("dl");
    environment.facts().forEach((name, fact) -> html.text("\n").text("dt", name).text("dd", fact));
    return html.close().toString();
  }
}
