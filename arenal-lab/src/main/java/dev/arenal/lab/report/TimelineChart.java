package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One allocator's replay as a small drawing: used as an area, committed and resident as lines over
 * the operations. Drawn here and not in the browser, so that it shows without scripts and on paper.
 */
final class TimelineChart {
  static final int WIDTH = 340;
  static final int HEIGHT = 190;
  static final int LEFT = 54;
  static final int RIGHT = 8;
  static final int TOP = 8;
  static final int BOTTOM = 22;

  /** Two labels closer than that would touch. */
  private static final double LABEL_WIDTH = 60;

  /** A generous guess, good enough to keep a label inside the drawing. */
  private static final double LETTER_WIDTH = 5.2;

  private final Scale scale;
  private final long countOperations;
  private final StringBuilder svg = new StringBuilder();

  private TimelineChart(Scale scale, long countOperations) {
    this.scale = scale;
    this.countOperations = Math.max(1, countOperations);
  }

  static String svg(AllocatorReplay replay, Scale scale, long countOperations) {
    return new TimelineChart(scale, countOperations).draw(replay);
  }

  private String draw(AllocatorReplay replay) {
    svg.append(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\" tabindex=\"0\">\n"
            .formatted(WIDTH, HEIGHT, Markup.escape(description(replay))));
    grid();
    moments(replay);
    area(replay.timeline());
    line("committed", replay.timeline(), Sample::committedBytes);
    line("resident", replay.timeline(), Sample::residentBytes);
    svg.append(
        "<line class=\"cross\" y1=\"%d\" y2=\"%d\" visibility=\"hidden\"/>\n</svg>"
            .formatted(TOP, HEIGHT - BOTTOM));
    return svg.toString();
  }

  private static String description(AllocatorReplay replay) {
    return replay.kind().label() + ": used, committed and resident over the replay";
  }

  private void grid() {
    for (int step = 0; step <= scale.countSteps(); step++) {
      String y = Markup.coordinate(y(scale.bytesAt(step)));
      svg.append(
          "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%s\" y2=\"%s\"/>"
              .formatted(LEFT, WIDTH - RIGHT, y, y));
      svg.append(
          "<text class=\"tick\" x=\"%d\" y=\"%s\" dy=\".32em\">%s</text>\n"
              .formatted(LEFT - 6, y, scale.label(step)));
    }
  }

  /** Where peaks, valley and end are compared; names that would overlap share one label. */
  private void moments(AllocatorReplay replay) {
    List<Moment> moments = new ArrayList<>();
    addMoment(moments, "peak", replay.peak());
    addMoment(moments, "valley", replay.valley());
    addMoment(moments, "2nd peak", replay.secondPeak());
    addMoment(moments, "end", replay.end());
    for (int first = 0; first < moments.size(); ) {
      double x = moments.get(first).x();
      StringBuilder names = new StringBuilder(moments.get(first).name());
      int next = first + 1;
      while (next < moments.size() && moments.get(next).x() - x < LABEL_WIDTH) {
        names.append(", ").append(moments.get(next++).name());
      }
      label(names.toString(), (x + moments.get(next - 1).x()) / 2);
      first = next;
    }
  }

  private void addMoment(List<Moment> moments, String name, @Nullable Sample sample) {
    if (sample != null) {
      Moment moment = new Moment(name, x(sample.operation()));
      moments.add(moment);
      String x = Markup.coordinate(moment.x());
      svg.append(
          "<line class=\"moment\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>\n"
              .formatted(x, x, TOP, HEIGHT - BOTTOM));
    }
  }

  private void label(String text, double x) {
    double half = text.length() * LETTER_WIDTH / 2;
    double inside = Math.clamp(x, LEFT + half, WIDTH - half);
    svg.append(
        "<text class=\"moment-name\" x=\"%s\" y=\"%d\">%s</text>\n"
            .formatted(Markup.coordinate(inside), HEIGHT - BOTTOM + 14, text));
  }

  private record Moment(String name, double x) {}

  private void area(List<Sample> timeline) {
    svg.append("<polygon class=\"used\" points=\"");
    point(0, 0);
    timeline.forEach(sample -> point(sample.operation(), sample.usedBytes()));
    point(countOperations, 0);
    svg.append("\"/>\n");
  }

  private void line(String name, List<Sample> timeline, Function<Sample, @Nullable Long> figure) {
    if (timeline.stream().map(figure).allMatch(Objects::nonNull)) {
      svg.append("<polyline class=\"").append(name).append("\" points=\"");
      for (Sample sample : timeline) {
        Long bytes = figure.apply(sample);
        point(sample.operation(), bytes == null ? 0 : bytes);
      }
      svg.append("\"/>\n");
    }
  }

  private void point(long operation, long bytes) {
    svg.append(Markup.coordinate(x(operation)))
        .append(',')
        .append(Markup.coordinate(y(bytes)))
        .append(' ');
  }

  private double x(long operation) {
    return LEFT + (double) (WIDTH - LEFT - RIGHT) * operation / countOperations;
  }

  private double y(long bytes) {
    return HEIGHT - BOTTOM - (double) (HEIGHT - TOP - BOTTOM) * bytes / scale.topBytes();
  }

  /** The largest figure in any of the charts. */
  static long maxBytes(List<AllocatorReplay> replays) {
    return replays.stream()
        .flatMap(replay -> replay.timeline().stream())
        .flatMap(sample ->
            Stream.of(sample.usedBytes(), sample.committedBytes(), sample.residentBytes()))
        .filter(Objects::nonNull)
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }
}
