package dev.arenal.lab.report;

import java.util.Arrays;

/** One curve of a chart: points whose x rises, and gaps. */
final class Series {
  private final String name;
  private final SeriesStyle style;
  private final double[] xs;
  private final double[] ys;

  /**
   * A curve.
   *
   * @param ys a figure for each x; not a number where there is none
   */
  Series(String name, SeriesStyle style, double[] xs, double[] ys) {
    this.name = name;
    this.style = style;
    this.xs = xs.clone();
    this.ys = ys.clone();
  }

  String name() {
    return name;
  }

  SeriesStyle style() {
    return style;
  }

  int count() {
    return xs.length;
  }

  double x(int index) {
    return xs[index];
  }

  /** The figure, which is not a number where there is none. */
  double y(int index) {
    return ys[index];
  }

  boolean isGap(int index) {
    return Double.isNaN(ys[index]);
  }

  /** The last point that has a figure; -1 if there is none. */
  int lastFigure() {
    int last = ys.length - 1;
    while (last >= 0 && isGap(last)) {
      last--;
    }
    return last;
  }

  boolean hasSameXs(Series other) {
    return Arrays.equals(xs, other.xs);
  }
}
