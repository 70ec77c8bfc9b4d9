package dev.arenal.lab.report;

import java.util.Arrays;

/** One curve of a chart: points whose x rises, and gaps. */
final class Series {
  private final String name;
  private final SeriesStyle style;
  private final double[] xs;
  private final long[] yBytes;

  Series(String name, SeriesStyle style, double[] xs, long[] yBytes) {
    this.name = name;
    this.style = style;
    this.xs = xs.clone();
    this.yBytes = yBytes.clone();
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

  /** The figure, which is negative where there is none. */
  long yBytes(int index) {
    return yBytes[index];
  }

  boolean isGap(int index) {
    return yBytes[index] < 0;
  }

  /** The last point that has a figure; -1 if there is none. */
  int lastFigure() {
    int last = yBytes.length - 1;
    while (last >= 0 && isGap(last)) {
      last--;
    }
    return last;
  }

  boolean hasSameXs(Series other) {
    return Arrays.equals(xs, other.xs);
  }
}
