package dev.arenal.lab.report;

import dev.arenal.lab.buffers.BurstClaims;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.BurstPoint;
import dev.arenal.lab.buffers.BurstResult;
import dev.arenal.lab.buffers.Claim;
import dev.arenal.lab.buffers.PeerKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A burst as a section of the report. */
public final class BurstSection {
  private static final String NAME = "burst";
  private static final String TITLE = "After a burst of buffers";
  private static final double PERCENT = 100;

  private BurstSection() {}

  /** Everything there is to show about these figures. */
  public static Section of(BurstMeasurement measurement) {
    List<String> findings = findings(measurement);
    return new Section(
        NAME,
        TITLE,
        findings.isEmpty() || BurstClaims.of(measurement).isEmpty() ? "" : findings.getFirst(),
        BurstJson.object(measurement),
        html(measurement),
        findings,
        measurement.failures());
  }

  private static List<String> findings(BurstMeasurement measurement) {
    List<String> findings = new ArrayList<>();
    for (boolean hasSurvivors : measurement.plan().survivors()) {
      for (int countThreads : measurement.plan().threads()) {
        Optional<BurstResult> arenal =
            measurement.find(PeerKind.ARENAL, countThreads, hasSurvivors);
        arenal.ifPresent(result -> findings.add(finding(measurement, result)));
      }
    }
    List<Claim> claims = BurstClaims.of(measurement);
    if (!claims.isEmpty()) {
      findings.add("Burst: " + ClaimTable.sentence(claims));
    }
    return findings;
  }

  private static String finding(BurstMeasurement measurement, BurstResult arenal) {
    long burstBytes = measurement.plan().burstBytes();
    String others =
        measurement.of(arenal.countThreads(), arenal.hasSurvivors()).stream()
            .filter(result -> !result.kind().isArenal())
            .map(result -> percent(result, burstBytes) + " (" + result.kind().label() + ")")
            .collect(Collectors.joining(", "));
    return "After a burst of %s by %s%s PageAllocator keeps %s of it when idle%s."
        .formatted(
            ChurnTables.size(burstBytes),
            threads(arenal.countThreads()),
            arenal.hasSurvivors() ? ", beside a live buffer in each megabyte," : "",
            percent(arenal, burstBytes),
            others.isEmpty() ? "" : "; the others keep " + others);
  }

  private static String percent(BurstResult result, long burstBytes) {
    return String.format(Locale.ROOT, "%.1f %%", result.idleShare(burstBytes) * PERCENT);
  }

  private static String html(BurstMeasurement measurement) {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <p>%s. Each row is a process of its own. Every OS page of a buffer is written. Threads \
        stay alive and do nothing after they have freed their buffers. Arenal is told a short \
        delay; the others have their defaults and no such setting in common. Resident is what the \
        kernel counts, without the JVM.</p>
        """
            .formatted(Markup.escape(BurstTables.what(measurement.plan()))));
    for (String note : measurement.plan().notes()) {
      html.append("<p class=\"note\">").append(Markup.escape(note)).append(".</p>\n");
    }
    if (measurement.results().isEmpty()) {
      return html.toString();
    }
    for (int countThreads : measurement.plan().threads()) {
      for (boolean hasSurvivors : measurement.plan().survivors()) {
        html.append(chart(measurement, countThreads, hasSurvivors));
      }
    }
    html.append("<h3>All figures</h3>\n").append(BurstTables.results(measurement).html());
    html.append("<p class=\"note\">");
    html.append(
        """
        Freed: when the last buffer had just been freed. Idle: at the end. Idle beside survivors: \
        without what is live, as a share of the burst.\
        """);
    html.append("</p>\n");
    List<Claim> claims = BurstClaims.of(measurement);
    if (!claims.isEmpty()) {
      html.append("<h3>Claims</h3>\n").append(ClaimTable.of(claims).html());
    }
    return html.toString();
  }

  private static String chart(
      BurstMeasurement measurement, int countThreads, boolean hasSurvivors) {
    List<BurstResult> results = measurement.of(countThreads, hasSurvivors);
    if (results.isEmpty()) {
      return "";
    }
    LineChart.Builder chart =
        LineChart.of(hasSurvivors ? "A burst that leaves survivors" : "A burst, all of it freed")
            .subtitle("resident, " + threads(countThreads))
            .xAxis("s")
            .group(NAME)
            .scaleUpToBytes(mostBytes(measurement));
    if (hasSurvivors) {
      BurstResult first = results.getFirst();
      double[] xs = {0, first.points().getLast().seconds()};
      long[] live = {first.survivorBytes(), first.survivorBytes()};
      chart.series("survivors", SeriesStyle.USED_AREA, xs, live);
    }
    for (BurstResult result : results) {
      chart.series(
          result.kind().label(),
          PeerStyle.of(result.kind()),
          result.points().stream().mapToDouble(BurstPoint::seconds).toArray(),
          result.points().stream().mapToLong(BurstPoint::residentBytes).toArray());
    }
    return chart.figure();
  }

  /** Charts that are compared share a scale. */
  private static long mostBytes(BurstMeasurement measurement) {
    return measurement.results().stream().mapToLong(BurstResult::peakResidentBytes).max().orElse(0);
  }

  private static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }
}
