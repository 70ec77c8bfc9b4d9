package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.JvmPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The charts that JEP 387 was shown with: used against committed for each JVM; and committed, and
 * resident, of all JVMs in one.
 *
 * <p>JVMs are not equally fast. Where they share a chart, the time of each is stretched or squeezed
 * between two phases, so that all reach a phase at the same place.
 */
record JvmCharts(List<JvmMeasurement> measurements) {
  private static final String GROUP = "jvm";

  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part.Group(Part.Layout.GRID, "", "", alone()));
    parts.add(together("Committed metaspace", JvmPoint::committedBytes));
    parts.add(together("Resident size of the process, heap included", JvmPoint::residentBytes));
    return parts;
  }

  private List<LineChart> alone() {
    long mostBytes = mostCommittedBytes();
    return IntStream.range(0, measurements.size())
        .mapToObj(i -> usedAndCommitted(measurements.get(i), styleOf(i), mostBytes))
        .toList();
  }

  /** Committed metaspace of all JVMs, over what the last of them uses: for documents. */
  static LineChart picture(List<JvmMeasurement> measurements) {
    JvmCharts charts = new JvmCharts(measurements);
    JvmMeasurement last = measurements.getLast();
    LineChart.Builder chart =
        LineChart.of("Metaspace of real JVMs")
            .subtitle("committed, over what is used")
            .series(
                "used, " + last.spec().label(),
                SeriesStyle.USED_AREA,
                pointsWithPhases(last),
                JvmPoint::seconds,
                point -> Figures.orGap(point.usedBytes()));
    for (int i = 0; i < measurements.size(); i++) {
      chart.series(
          JvmSection.shortened(measurements.get(i).spec().label()),
          charts.styleOf(i),
          pointsWithPhases(measurements.get(i)),
          JvmPoint::seconds,
          point -> Figures.orGap(point.committedBytes()));
    }
    return chart.chart();
  }

  /** The stock metaspace is dashed wherever it appears; elastic ones have a colour each. */
  private SeriesStyle styleOf(int index) {
    SeriesStyle style = SeriesStyle.ofIndex(index);
    return measurements.get(index).spec().isStock() ? style.dashed() : style;
  }

  private static LineChart usedAndCommitted(
      JvmMeasurement measurement, SeriesStyle style, long mostBytes) {
    List<JvmPoint> points = pointsWithPhases(measurement);
    ToDoubleFunction<JvmPoint> used = point -> Figures.orGap(point.usedBytes());
    ToDoubleFunction<JvmPoint> committed = point -> Figures.orGap(point.committedBytes());
    return LineChart.of(measurement.spec().label())
        .subtitle(measurement.spec().version())
        .small()
        .xAxis("s")
        .scaleUpToBytes(mostBytes)
        .series("used", SeriesStyle.USED_AREA, points, JvmPoint::seconds, used)
        .series("committed", style, points, JvmPoint::seconds, committed)
        .chart();
  }

  private LineChart together(String title, Function<JvmPoint, @Nullable Long> figure) {
    List<String> labels = JvmSection.labels(measurements);
    LineChart.Builder chart =
        LineChart.of(title).xAxis("phases").xUpTo(Math.max(1, labels.size() - 1)).group(GROUP);
    for (int i = 0; i < measurements.size(); i++) {
      JvmMeasurement measurement = measurements.get(i);
      chart.series(
          JvmSection.shortened(measurement.spec().label()),
          styleOf(i),
          pointsWithPhases(measurement),
          point -> phaseAt(measurement, point.seconds()),
          point -> Figures.orGap(figure.apply(point)));
    }
    for (int i = 0; i < labels.size(); i++) {
      String label = shortLabel(labels.get(i));
      if (label.equals("loaded") || label.equals("1 left")) {
        chart.marker(i, label);
      }
    }
    return chart.chart();
  }

  /** The samples up to the last phase, and between them the exact figures of the phases. */
  private static List<JvmPoint> pointsWithPhases(JvmMeasurement measurement) {
    Stream<JvmPoint> samples =
        measurement.timeline().stream().filter(point -> point.seconds() <= measurement.seconds());
    Stream<JvmPoint> exact =
        measurement.phases().stream()
            .map(phase ->
                new JvmPoint(
                    phase.seconds(),
                    phase.usedBytes(),
                    phase.committedBytes(),
                    phase.residentBytes()));
    return Stream.concat(samples, exact)
        .sorted(Comparator.comparingDouble(JvmPoint::seconds))
        .toList();
  }

  /** Three and a half: half the time from the fourth phase to the fifth has passed. */
  static double phaseAt(JvmMeasurement measurement, double seconds) {
    List<JvmPhase> phases = measurement.phases();
    for (int i = 1; i < phases.size(); i++) {
      double from = phases.get(i - 1).seconds();
      double to = phases.get(i).seconds();
      if (seconds <= to) {
        return i - 1 + Math.max(0, to > from ? (seconds - from) / (to - from) : 1);
      }
    }
    return phases.size() - 1.0;
  }

  /** A label that fits above a line: loaded, 4 left. */
  private static String shortLabel(String label) {
    String words = label.replaceFirst("^cycle \\d+: ", "");
    return words.startsWith("generations left: ")
        ? words.substring("generations left: ".length()) + " left"
        : words;
  }

  private long mostCommittedBytes() {
    return measurements.stream()
        .flatMapToLong(jvm ->
            LongStream.concat(
                jvm.phases().stream().mapToLong(JvmPhase::committedBytes),
                jvm.timeline().stream()
                    .mapToLong(point -> Objects.requireNonNullElse(point.committedBytes(), 0L))))
        .max()
        .orElse(0);
  }
}
