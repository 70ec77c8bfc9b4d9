package dev.arenal.lab.report;

import dev.arenal.lab.confined.ConfinedClaims;
import dev.arenal.lab.confined.ConfinedMeasurement;
import dev.arenal.lab.confined.ConfinedResult;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.confined.Verdict;
import dev.arenal.lab.confined.Verdict.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Measurements of confined arenas as a section of the report. */
public final class ConfinedSection {
  private static final String NAME = "confined";
  private static final String TITLE = "Confined arenas";
  private static final int USUAL_BYTES = 20;

  private ConfinedSection() {}

  /** Everything there is to show about these figures. */
  public static Section of(ConfinedMeasurement measurement) {
    List<ConfinedResult> results = measurement.results();
    return new Section(
        NAME,
        TITLE,
        headline(results),
        ConfinedJson.object(results),
        html(results),
        findings(results),
        measurement.failures());
  }

  /** A section that says why there is nothing to show; nothing has failed. */
  public static Section without(String reason) {
    return new Section(
        NAME,
        TITLE,
        "",
        ConfinedJson.object(List.of()),
        "",
        List.of("Confined arenas were not measured: " + reason),
        List.of());
  }

  private static String headline(List<ConfinedResult> results) {
    OptionalDouble ratio = ConfinedClaims.ratio(results, Shape.ONE, USUAL_BYTES, false);
    if (ratio.isEmpty()) {
      return "";
    }
    return ("With one allocation of %d bytes Arena.ofConfined() takes %s times as long as a pooled"
            + " arena.")
        .formatted(USUAL_BYTES, times(ratio.getAsDouble()));
  }

  private static List<String> findings(List<ConfinedResult> results) {
    List<String> findings = new ArrayList<>();
    if (!headline(results).isEmpty()) {
      findings.add(headline(results));
    }
    OptionalDouble jdk = ConfinedClaims.meanNanos(results, Factory.JDK);
    OptionalDouble pooled = ConfinedClaims.meanNanos(results, Factory.POOLED);
    if (jdk.isPresent() && pooled.isPresent()) {
      findings.add(
          String.format(
              Locale.ROOT,
              "The mean of %d sizes from 0 to 64 bytes is %.1f ns with Arena.ofConfined() and %.1f"
                  + " ns with a pooled arena.",
              ConfinedClaims.countSizesOfMean(results),
              jdk.getAsDouble(),
              pooled.getAsDouble()));
    }
    Map<Outcome, List<Verdict>> verdicts =
        ConfinedClaims.verdicts(results).stream()
            .collect(
                Collectors.groupingBy(
                    Verdict::outcome,
                    () -> new EnumMap<>(Outcome.class),
                    Collectors.toUnmodifiableList()));
    int countReached = verdicts.getOrDefault(Outcome.REACHED, List.of()).size();
    List<Verdict> missed = verdicts.getOrDefault(Outcome.MISSED, List.of());
    if (countReached + missed.size() > 0) {
      String which =
          missed.isEmpty()
              ? ""
              : "; not that of "
                  + missed.stream()
                      .map(verdict -> "%s (%s)".formatted(verdict.what(), verdict.shown()))
                      .collect(Collectors.joining(", "));
      findings.add(
          "Of %d claims that were measured %d are reached%s."
              .formatted(countReached + missed.size(), countReached, which));
    }
    noise(results).ifPresent(findings::add);
    return findings;
  }

  /** Figures of a machine that did something else meanwhile are not to be believed. */
  private static Optional<String> noise(List<ConfinedResult> results) {
    long count =
        results.stream()
            .filter(result ->
                result.errorNanos() != null && result.errorNanos() > result.nanosPerOperation())
            .count();
    return count == 0
        ? Optional.empty()
        : Optional.of(
            "Of %d figures %d have an error larger than themselves: the machine did something else,"
                    .formatted(results.size(), count)
                + " so measure again when it does not.");
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "%.1f", ratio);
  }

  private static String html(List<ConfinedResult> results) {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <p>An arena is opened, gives out memory that is written and read, and is closed. Measured \
        with JMH in many short forks in which the contenders take turns; times are medians of all \
        iterations, ± is half of the 99.9 % confidence interval.</p>
        """);
    if (results.isEmpty()) {
      return html.toString();
    }
    html.append(ConfinedCharts.html(results));
    html.append("<h3>All figures</h3>\n").append(ConfinedTables.times(results).html());
    html.append("<p class=\"note\">");
    html.append(
        List.of(Factory.values()).stream()
            .filter(
                factory -> results.stream().anyMatch(result -> result.cell().factory() == factory))
            .map(factory -> Markup.escape(factory.label() + ": " + factory.title()))
            .collect(Collectors.joining("; ")));
    html.append(".</p>\n");
    if (!ConfinedTables.measured(results).isEmpty()) {
      html.append("<h3>Claims, for JDK 25 on Linux x86-64</h3>\n");
      html.append(ConfinedTables.verdicts(results).html());
    }
    return html.toString();
  }
}
