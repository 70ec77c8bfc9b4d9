package dev.arenal.lab.report;

import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.WorkloadShape;
import java.util.List;
import java.util.Objects;

/** Measurements of JVMs as a section of the report. */
public final class JvmSection {
  private JvmSection() {}

  /** Everything there is to show about these JVMs. */
  public static Section of(WorkloadShape shape, List<JvmMeasurement> measurements) {
    JvmFindings findings = new JvmFindings(shape, measurements);
    List<String> failures =
        measurements.stream().map(JvmMeasurement::failure).filter(Objects::nonNull).toList();
    return new Section(
        "jvm",
        "Real JVMs",
        findings.headline(),
        JvmJson.object(shape, measurements),
        html(shape, JvmTables.measured(measurements)),
        findings.sentences(),
        failures);
  }

  private static String html(WorkloadShape shape, List<JvmMeasurement> measured) {
    StringBuilder html = new StringBuilder();
    html.append(
        paragraph(
            "",
            "Each JVM loads "
                + shape.description()
                + ". It releases one generation after the other, with a collection after each."
                + " The heap has a fixed size and is touched at the start, so what changes in the"
                + " resident size is not the heap."));
    if (measured.isEmpty()) {
      return html.toString();
    }
    html.append(new JvmCharts(measured).html());
    html.append("<h3>%s (MiB)</h3>\n".formatted(Markup.escape(JvmTables.valleyHeading(shape))));
    html.append(JvmTables.valley(measured).html());
    JvmTables.valleyNotes(measured).forEach(note -> html.append(paragraph("note", note)));
    for (JvmMeasurement measurement : measured) {
      for (String note : measurement.notes()) {
        html.append(paragraph("note", measurement.spec().label() + ": " + note));
      }
    }
    html.append("<h3>All phases (MiB)</h3>\n").append(JvmTables.phases(measured).html());
    return html.append(reports(measured)).toString();
  }

  private static String paragraph(String kind, String text) {
    String open = kind.isEmpty() ? "<p>" : "<p class=\"" + kind + "\">";
    return open + Markup.escape(text) + "</p>\n";
  }

  /** The reports as the JVMs gave them, side by side where the page is wide enough. */
  private static String reports(List<JvmMeasurement> measured) {
    StringBuilder html = new StringBuilder();
    html.append("<details class=\"reports\"><summary>jcmd VM.metaspace at the valley, ");
    html.append("as each JVM prints it</summary>\n<div class=\"grid\">\n");
    for (JvmMeasurement measurement : measured) {
      String text = measurement.reportText();
      html.append(
          ("<figure><figcaption><b>%s</b> <span>%s</span></figcaption>"
                  + "<pre class=\"report\">%s</pre></figure>\n")
              .formatted(
                  Markup.escape(measurement.spec().label()),
                  Markup.escape(measurement.spec().version()),
                  Markup.escape(text.isEmpty() ? "no report" : text.strip())));
    }
    return html.append("</div>\n</details>\n").toString();
  }
}
