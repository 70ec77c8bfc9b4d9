package dev.arenal.lab.figure;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** One curve of a chart: points whose x rises, and gaps. */
public final class Series {
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

  /**
   * The curve as the path of an SVG, with a gap where there is no figure; an area goes down to zero
   * where its curve begins and ends.
   *
   * @param xMax the end of the x axis
   * @param toX where an x is in the drawing
   * @param toY where a figure is in the drawing
   * @param bottom where zero is in the drawing
   */
  String path(double xMax, DoubleUnaryOperator toX, DoubleUnaryOperator toY, double bottom) {
    boolean isArea = style == SeriesStyle.USED_AREA;
    String zero = Markup.coordinate(bottom);
    StringBuilder path = new StringBuilder();
    String lastX = "";
    boolean isPoint = false;
    for (int i : CurveThinning.indices(this, xMax)) {
      if (isGap(i)) {
        path.append(end(isPoint, lastX, zero));
        lastX = "";
        isPoint = false;
        continue;
      }
      String x = Markup.coordinate(toX.applyAsDouble(xs[i]));
      String y = Markup.coordinate(toY.applyAsDouble(ys[i]));
      isPoint = lastX.isEmpty();
      if (isPoint) {
        path.append('M').append(x).append(' ');
        path.append(isArea ? zero + "L" + x + " " + y : y);
      } else {
        path.append('L').append(x).append(' ').append(y);
      }
      lastX = x;
    }
    return path + end(isPoint, lastX, zero);
  }

  /**
   * Of a piece without a gap: a point alone is a short line, since one of no length is not seen.
   */
  private String end(boolean isPoint, String lastX, String zero) {
    if (style == SeriesStyle.USED_AREA) {
      return lastX.isEmpty() ? "" : "L" + lastX + " " + zero + "Z";
    }
    return isPoint ? "m-3 0h6" : "";
  }
}
