package dev.arenal.lab.report;

import dev.arenal.lab.confined.Verdict;
import dev.arenal.lab.confined.Verdict.Outcome;
import dev.arenal.lab.medium.MediumClaims;
import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumPlan;
import dev.arenal.lab.medium.MediumResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Measurements of medium pages as a section of the report. */
public final class MediumSection {
  private static final String NAME = "medium";
  private static final String TITLE = "Medium pages";
  private static final double NANOS_PER_MICRO = 1e3;

  private MediumSection() {}

  /** Everything there is to show about these figures. */
  public static Section of(MediumMeasurement measurement) {
    return new Section(
        NAME,
        TITLE,
        headline(measurement),
        MediumJson.object(measurement),
        html(measurement),
        findings(measurement),
        measurement.failures());
  }

  /** A section that says why there is nothing to show; nothing has failed. */
  public static Section without(MediumPlan plan, String reason) {
    return new Section(
        NAME,
        TITLE,
        "",
        MediumJson.object(new MediumMeasurement(plan, List.of(), List.of())),
        "",
        List.of("Medium pages were not measured: " + reason),
        List.of());
  }

  private static String headline(MediumMeasurement measurement) {
    if (!measurement.hasBoth()) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "Where every thread replaces a full medium page %,d pages of %d runs are undone, where one"
            + " does it for all %,d; a medium buffer is there within %,.0f µs and within %,.0f µs"
            + " (99.9 %% of them).",
        undone(measurement, false),
        measurement.results().size(),
        undone(measurement, true),
        MediumClaims.reportedNanos(measurement, false) / NANOS_PER_MICRO,
        MediumClaims.reportedNanos(measurement, true) / NANOS_PER_MICRO);
  }

  private static long undone(MediumMeasurement measurement, boolean isSynchronized) {
    return measurement.of(isSynchronized).stream()
        .mapToLong(result -> result.undone().total())
        .sum();
  }

  private static List<String> findings(MediumMeasurement measurement) {
    if (!measurement.hasBoth()) {
      return List.of();
    }
    List<String> findings = new ArrayList<>();
    findings.add(headline(measurement));
    List<Verdict> missed =
        MediumClaims.verdicts(measurement).stream()
            .filter(verdict -> verdict.outcome() == Outcome.MISSED)
            .toList();
    int count = MediumClaims.verdicts(measurement).size();
    String which =
        missed.isEmpty()
            ? ""
            : "; not that of "
                + missed.stream()
                    .map(verdict -> "%s (%s)".formatted(verdict.what(), verdict.shown()))
                    .collect(Collectors.joining(", "));
    findings.add(
        "Of %d claims about medium pages %d are reached%s."
            .formatted(count, count - missed.size(), which));
    return findings;
  }

  private static String html(MediumMeasurement measurement) {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <p>Threads allocate buffers of an eighth of a medium page and less from one allocator, \
        write them, and free them in waves, as a collected heap does. When the shared page is \
        full, either every thread that finds it so takes a new one (unsynchronized), or one does \
        and the others wait (synchronized).</p>
        """);
    if (measurement.results().isEmpty()) {
      return html.toString();
    }
    html.append(MediumCharts.html(measurement));
    if (measurement.hasBoth()) {
      html.append("<h3>All figures</h3>\n").append(MediumTables.figures(measurement).html());
      html.append("<h3>Claims, and what was reported for ZGC (JDK-8339387)</h3>\n");
      html.append(MediumTables.verdicts(measurement).html());
    }
    html.append("<details class=\"reports\"><summary>Statistics of each run</summary>\n");
    for (MediumResult result : measurement.results()) {
      html.append(
          "<h4>%s</h4>\n<pre>%s</pre>\n"
              .formatted(Markup.escape(result.variant()), Markup.escape(result.table())));
    }
    html.append("</details>\n");
    return html.toString();
  }
}
