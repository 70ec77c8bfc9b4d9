package dev.arenal.lab.report;

import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.JvmPoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The charts that JEP 387 was shown with: used against committed for each JVM; and committed, and
 * resident, of all JVMs in one.
 *
 * <p>JVMs are not equally fast. Where they share a chart, the time of each is stretched or squeezed
 * between two phases, so that all reach a phase at the same place.
 */
final class JvmCharts {
  private static final String GROUP = "jvm";

  private final List<JvmMeasurement> measurements;
  private final List<String> labels;

  JvmCharts(List<JvmMeasurement> measurements) {
    this.measurements = measurements;
    this.labels = JvmSection.labels(measurements);
  }

  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part.Group(Part.Layout.GRID, "", "", alone()));
    parts.add(together("Committed metaspace", JvmPoint::committedBytes));
    parts.add(together("Resident size of the process, heap included", JvmPoint::residentBytes));
    return parts;
  }

  private List<LineChart> alone() {
    long mostBytes = mostBytes(JvmPhase::committedBytes, JvmPoint::committedBytes);
    return IntStream.range(0, measurements.size())
        .mapToObj(i -> usedAndCommitted(measurements.get(i), styleOf(i), mostBytes))
        .toList();
  }

  /** Committed metaspace of all JVMs, over what the last of them uses: for documents. */
  static LineChart picture(List<JvmMeasurement> measurements) {
    JvmCharts charts = new JvmCharts(measurements);
    JvmMeasurement last = measurements.getLast();
    List<JvmPoint> points = pointsWithPhases(last);
    LineChart.Builder chart =
        LineChart.of("Metaspace of real JVMs")
            .subtitle("committed, over what is used")
            .series(
                "used, " + last.spec().label(),
                SeriesStyle.USED_AREA,
                seconds(points),
                values(points, JvmPoint::usedBytes));
    for (int i = 0; i < measurements.size(); i++) {
      List<JvmPoint> committed = pointsWithPhases(measurements.get(i));
      chart.series(
          JvmSection.shortened(measurements.get(i).spec().label()),
          charts.styleOf(i),
          seconds(committed),
          values(committed, JvmPoint::committedBytes));
    }
    return chart.chart();
  }

  private static double[] seconds(List<JvmPoint> points) {
    return points.stream().mapToDouble(JvmPoint::seconds).toArray();
  }

  /** The stock metaspace is dashed wherever it appears; elastic ones have a colour each. */
  private SeriesStyle styleOf(int index) {
    SeriesStyle style = SeriesStyle.ofIndex(index);
    return measurements.get(index).spec().isStock() ? style.dashed() : style;
  }

  private static LineChart usedAndCommitted(
      JvmMeasurement measurement, SeriesStyle style, long mostBytes) {
    List<JvmPoint> points = pointsWithPhases(measurement);
    double[] xs = seconds(points);
    return LineChart.of(measurement.spec().label())
        .subtitle(measurement.spec().version())
        .small()
        .xAxis("s")
        .scaleUpToBytes(mostBytes)
        .series("used", SeriesStyle.USED_AREA, xs, values(points, JvmPoint::usedBytes))
        .series("committed", style, xs, values(points, JvmPoint::committedBytes))
        .chart();
  }

  private LineChart together(String title, Function<JvmPoint, @Nullable Long> figure) {
    LineChart.Builder chart =
        LineChart.of(title).xAxis("phases").xUpTo(Math.max(1, labels.size() - 1)).group(GROUP);
    for (int i = 0; i < measurements.size(); i++) {
      JvmMeasurement measurement = measurements.get(i);
      List<JvmPoint> points = pointsWithPhases(measurement);
      chart.series(
          JvmSection.shortened(measurement.spec().label()),
          styleOf(i),
          points.stream().mapToDouble(point -> phaseAt(measurement, point.seconds())).toArray(),
          values(points, figure));
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

  private static long[] values(List<JvmPoint> points, Function<JvmPoint, @Nullable Long> figure) {
    long[] values = new long[points.size()];
    for (int i = 0; i < values.length; i++) {
      Long value = figure.apply(points.get(i));
      values[i] = value == null ? LineChart.GAP : value;
    }
    return values;
  }

  private long mostBytes(
      Function<JvmPhase, Long> ofPhase, Function<JvmPoint, @Nullable Long> ofPoint) {
    List<Long> all = new ArrayList<>(List.of(0L));
    for (JvmMeasurement measurement : measurements) {
      measurement.phases().forEach(phase -> all.add(ofPhase.apply(phase)));
      for (JvmPoint point : measurement.timeline()) {
        Long value = ofPoint.apply(point);
        if (value != null) {
          all.add(value);
        }
      }
    }
    return all.stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
