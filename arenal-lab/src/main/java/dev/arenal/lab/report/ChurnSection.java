package dev.arenal.lab.report;

import dev.arenal.lab.buffers.ChurnClaims;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnPoint;
import dev.arenal.lab.buffers.ChurnResult;
import dev.arenal.lab.buffers.Claim;
import dev.arenal.lab.buffers.PeerKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A churn as a section of the report. */
public final class ChurnSection {
  private static final String NAME = "churn";
  private static final String TITLE = "Churn of buffers";

  private ChurnSection() {}

  /** Everything there is to show about these figures. */
  public static Section of(ChurnMeasurement measurement) {
    return new Section(
        NAME,
        TITLE,
        headline(measurement),
        ChurnJson.object(measurement),
        html(measurement),
        findings(measurement),
        measurement.failures());
  }

  /** Of the largest number of threads, which is the hardest. */
  private static String headline(ChurnMeasurement measurement) {
    int countThreads = measurement.plan().threads().stream().max(Integer::compare).orElse(1);
    Optional<ChurnResult> arenal = measurement.find(PeerKind.ARENAL, countThreads);
    String others = others(measurement, countThreads);
    return arenal.isEmpty() || others.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            "While random buffers replace each other, %s, PageAllocator keeps %.2f bytes for each"
                + " that is live; the others keep %s.",
            threads(countThreads),
            arenal.get().residentPerLive(),
            others);
  }

  private static String others(ChurnMeasurement measurement, int countThreads) {
    return measurement.results().stream()
        .filter(result -> !result.kind().isArenal() && result.countThreads() == countThreads)
        .map(result ->
            String.format(
                Locale.ROOT, "%.2f (%s)", result.residentPerLive(), result.kind().label()))
        .collect(Collectors.joining(", "));
  }

  private static List<String> findings(ChurnMeasurement measurement) {
    List<String> findings = new ArrayList<>();
    for (int countThreads : measurement.plan().threads()) {
      measurement
          .find(PeerKind.ARENAL, countThreads)
          .ifPresent(arenal -> findings.add(ofThreads(measurement, arenal)));
    }
    List<Claim> claims = ChurnClaims.of(measurement);
    if (!claims.isEmpty()) {
      findings.add("Churn: " + ClaimTable.sentence(claims));
    }
    return findings;
  }

  private static String ofThreads(ChurnMeasurement measurement, ChurnResult arenal) {
    int countThreads = arenal.countThreads();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Churn, %s: PageAllocator %.2f resident over live at most, %,.0f ns an operation",
            threads(countThreads),
            arenal.mostResidentPerLive(),
            arenal.nanosPerOperation()));
    measurement
        .control(countThreads)
        .ifPresent(control ->
            text.append(
                String.format(
                    Locale.ROOT, ", of which %,.0f are the harness", control.nanosPerOperation())));
    ChurnClaims.bestNetty(measurement, countThreads)
        .ifPresent(netty ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "; %s %.2f and %,.0f ns",
                    netty.kind().label(),
                    netty.mostResidentPerLive(),
                    netty.nanosPerOperation())));
    measurement.results().stream()
        .filter(result -> result.kind().heap() != null && result.countThreads() == countThreads)
        .min(Comparator.comparingDouble(ChurnResult::mostResidentPerLive))
        .ifPresent(heap ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "; of the heaps %s keeps least, %.2f, and takes %,.0f ns",
                    heap.kind().label(),
                    heap.mostResidentPerLive(),
                    heap.nanosPerOperation())));
    return text.append('.').toString();
  }

  private static String html(ChurnMeasurement measurement) {
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <p>%s. Each row is a process of its own; before an operation random live buffers are freed \
        until there is room for the next, a third of them by another thread. Every OS page of a \
        buffer is written, and marks at both ends are checked before it is freed. Resident is what \
        the kernel counts, without the JVM. Times are those of the whole process: the time of all \
        operations divided by their number.</p>
        """
            .formatted(Markup.escape(capital(ChurnTables.what(measurement.plan())))));
    for (String note : measurement.plan().notes()) {
      html.append("<p class=\"note\">").append(Markup.escape(note)).append(".</p>\n");
    }
    if (measurement.results().isEmpty()) {
      return html.toString();
    }
    measurement.plan().threads().forEach(count -> html.append(chart(measurement, count)));
    html.append("<h3>All figures</h3>\n").append(ChurnTables.results(measurement).html());
    html.append("<p class=\"note\">");
    html.append(
        """
        none: the harness alone, writing into memory that is there. Growth: the last quarter of \
        the way against the second. Kept: of the resident size, when every buffer had been freed; \
        asked back: after the allocator's own call for that, where it has one.\
        """);
    html.append("</p>\n");
    List<Claim> claims = ChurnClaims.of(measurement);
    if (!claims.isEmpty()) {
      html.append("<h3>Claims</h3>\n").append(ClaimTable.of(claims).html());
    }
    return html.toString();
  }

  private static String chart(ChurnMeasurement measurement, int countThreads) {
    LineChart.Builder chart =
        LineChart.of("Resident while buffers are replaced")
            .subtitle(threads(countThreads))
            .xAxis("operations")
            .group(NAME)
            .scaleUpToBytes(mostBytes(measurement));
    boolean isFirst = true;
    for (ChurnResult result : measurement.results()) {
      if (result.countThreads() != countThreads) {
        continue;
      }
      double[] xs =
          result.points().stream().mapToDouble(point -> (double) point.operation()).toArray();
      if (isFirst) {
        long[] live = result.points().stream().mapToLong(ChurnPoint::liveBytes).toArray();
        chart.series("live", SeriesStyle.USED_AREA, xs, live);
        isFirst = false;
      }
      long[] resident = result.points().stream().mapToLong(ChurnPoint::residentBytes).toArray();
      chart.series(result.kind().label(), PeerStyle.of(result.kind()), xs, resident);
    }
    return isFirst ? "" : chart.figure();
  }

  /** Charts that are compared share a scale. */
  private static long mostBytes(ChurnMeasurement measurement) {
    return measurement.results().stream()
        .flatMap(result -> result.points().stream())
        .mapToLong(ChurnPoint::residentBytes)
        .max()
        .orElse(0);
  }

  private static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }

  private static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
