package dev.arenal.lab.figure;

import dev.arenal.lab.figure.LineChart.Marker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The names of moments along an x axis; those that would overlap share one label. */
final class MarkerLabels {
  /** The narrowest chart there is, small or on a phone: what fits there fits everywhere. */
  static final double NARROW = 230;

  /** The narrowest that a large chart is on anything but a phone. */
  static final double ROOMY = 420;

  /** A generous guess at the width of a letter. */
  private static final double LETTER_WIDTH = 6;

  private static final double GAP = 8;

  private MarkerLabels() {}

  /**
   * One label.
   *
   * @param text the names of its moments
   * @param first where the first of them is, as a share of the axis
   * @param last where the last one is
   * @param width how wide the chart is at least, in pixels
   */
  record Label(String text, double first, double last, double width) {
    private double halfWidth() {
      return text.length() * LETTER_WIDTH / 2;
    }

    private double middle() {
      return (first + last) / 2 * width;
    }

    /** Whether it would stick out on the left, and therefore begins with the axis. */
    private boolean isFirst() {
      return middle() < halfWidth();
    }

    private boolean isLast() {
      return middle() > width - halfWidth();
    }

    private double left() {
      return isFirst() ? 0 : isLast() ? width - 2 * halfWidth() : middle() - halfWidth();
    }

    private boolean touches(Label next) {
      return left() + 2 * halfWidth() + GAP > next.left();
    }

    private Label with(Label next) {
      return new Label(text + ", " + next.text, first, next.last, width);
    }

    /** Writes the label for charts of that kind. */
    void write(Markup html, String kind) {
      String place = isFirst() ? " first" : isLast() ? " last" : "";
      html.open("span", "class", "mark " + kind + place);
      if (place.isEmpty()) {
        html.attribute("style", "left:" + Markup.percent(middle() / width));
      }
      html.text(text).close();
    }
  }

  /** Labels from left to right, for a chart that is that wide at least. */
  static List<Label> of(List<Marker> markers, double xMax, double width) {
    List<Label> labels = new ArrayList<>();
    markers.stream()
        .sorted(Comparator.comparingDouble(Marker::x))
        .map(marker -> new Label(marker.label(), marker.x() / xMax, marker.x() / xMax, width))
        .forEach(labels::add);
    for (int i = 0; i + 1 < labels.size(); ) {
      if (labels.get(i).touches(labels.get(i + 1))) {
        labels.set(i, labels.get(i).with(labels.remove(i + 1)));
        i = Math.max(0, i - 1);
      } else {
        i++;
      }
    }
    return labels;
  }
}
