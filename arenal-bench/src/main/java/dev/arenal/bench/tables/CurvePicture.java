package dev.arenal.bench.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Curves of bytes, or of time, over something as SVG that needs no style sheet and looks the same
 * on a light and on a dark page. The colours are those of the lab's report.
 */
final class CurvePicture {
  static final String LIVE = "#d3d9e0";

  /** The name of an x axis that has figures; those of other counts tell little. */
  static final String SECONDS = "seconds";

  private static final String INK = "#1a1f25";
  private static final String SOFT = "#57606a";
  private static final int WIDTH = 880;
  private static final int HEIGHT = 340;
  private static final int LEFT = 56;
  private static final int RIGHT = 200;
  private static final int TOP = 44;
  private static final int BOTTOM = 40;
  private static final int MOST_LINES = 6;
  private static final int MOST_SECONDS_NAMED = 10;
  private static final double MIB = 1024 * 1024;
  private static final int MOST_SIZES_NAMED = 16;

  private final String title;
  private final String xName;
  private final int mostXNamed;
  private final String unit;
  private final double unitSize;
  private final List<Curve> curves = new ArrayList<>();

  private CurvePicture(String title, String xName, int mostXNamed, String unit, double unitSize) {
    this.title = title;
    this.xName = xName;
    this.mostXNamed = mostXNamed;
    this.unit = unit;
    this.unitSize = unitSize;
  }

  /** A picture of bytes, in MiB. */
  CurvePicture(String title, String xName) {
    this(title, xName, xName.equals(SECONDS) ? MOST_SECONDS_NAMED : 0, "MiB", MIB);
  }

  /** A picture of nanoseconds over sizes. */
  static CurvePicture ofNanos(String title, String xName) {
    return new CurvePicture(title, xName, MOST_SIZES_NAMED, "ns", 1);
  }

  /** A point of a curve: bytes, or nanoseconds. */
  record Point(double x, double y) {}

  /**
   * One curve.
   *
   * @param color of the line, or of the area if it is {@link #LIVE}
   * @param dashes as in SVG; empty for an unbroken line
   */
  record Curve(String name, String color, String dashes, List<Point> points) {}

  /** Adds a curve above the others; one without points is left out. */
  void add(Curve curve) {
    if (!curve.points().isEmpty()) {
      curves.add(curve);
    }
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    append(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
            + " height=\"%d\" font-family=\"system-ui, sans-serif\" font-size=\"13\">%n",
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT);
    append(
        svg,
        "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\" stroke=\"#d9dee4\"/>%n",
        WIDTH,
        HEIGHT);
    text(svg, LEFT, 26, INK, "start", title);
    grid(svg);
    curves.forEach(curve -> curve(svg, curve));
    legend(svg);
    append(svg, "</svg>%n");
    return svg.toString();
  }

  private void grid(StringBuilder svg) {
    double step = step();
    for (double y = 0; y <= top(); y += step) {
      append(
          svg,
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e9ecf0\"/>%n",
          LEFT,
          WIDTH - RIGHT,
          y(y),
          y(y));
      String label = String.format(Locale.ROOT, "%.0f", y / unitSize);
      text(svg, LEFT - 8, y(y) + 4, SOFT, "end", label);
    }
    text(svg, LEFT - 8, TOP - 14, SOFT, "end", unit);
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, SOFT, "middle", xName);
    if (mostXNamed > 0) {
      xFigures(svg);
    }
  }

  private void curve(StringBuilder svg, Curve curve) {
    boolean isArea = curve.color().equals(LIVE);
    if (isArea) {
      append(svg, "<path fill=\"%s\" d=\"M", curve.color());
      append(svg, "%.1f %.1f", x(curve.points().getFirst().x()), y(0));
      curve.points().forEach(point -> append(svg, " L%.1f %.1f", x(point.x()), y(point.y())));
      append(svg, " L%.1f %.1f Z\"/>%n", x(curve.points().getLast().x()), y(0));
      return;
    }
    append(
        svg,
        "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\"%s points=\"",
        curve.color(),
        dashes(curve));
    curve.points().forEach(point -> append(svg, "%.1f,%.1f ", x(point.x()), y(point.y())));
    append(svg, "\"/>%n");
  }

  private static String dashes(Curve curve) {
    return curve.dashes().isEmpty() ? "" : " stroke-dasharray=\"" + curve.dashes() + "\"";
  }

  /** The highest end first, as the curves lie; what is live is last. */
  private void legend(StringBuilder svg) {
    int left = WIDTH - RIGHT + 14;
    List<Curve> entries = curves.reversed();
    for (int i = 0; i < entries.size(); i++) {
      Curve curve = entries.get(i);
      int y = TOP + 12 + 26 * i;
      if (curve.color().equals(LIVE)) {
        append(
            svg,
            "<rect x=\"%d\" y=\"%d\" width=\"20\" height=\"12\" fill=\"%s\"/>%n",
            left,
            y - 10,
            curve.color());
      } else {
        append(
            svg,
            "<path stroke-width=\"3\" stroke=\"%s\"%s d=\"M%d %dh20\"/>%n",
            curve.color(),
            dashes(curve),
            left,
            y - 4);
      }
      text(svg, left + 28, y, INK, "start", curve.name());
    }
  }

  private void xFigures(StringBuilder svg) {
    double step = roundStep(maxX(), mostXNamed);
    for (double x = 0; x <= maxX(); x += step) {
      text(svg, x(x), HEIGHT - BOTTOM + 16, SOFT, "middle", Figures.plain(x));
    }
  }

  private double top() {
    double step = step();
    return Math.ceil(maxY() / step) * step;
  }

  private double step() {
    return roundStep(maxY() / unitSize, MOST_LINES) * unitSize;
  }

  /** Round, and so large that there are not too many steps. */
  private static double roundStep(double max, int mostSteps) {
    for (double power = 1; ; power *= 10) {
      for (double digit : new double[] {1, 2, 5}) {
        if (digit * power * mostSteps >= max) {
          return digit * power;
        }
      }
    }
  }

  private double maxY() {
    return curves.stream()
        .flatMap(curve -> curve.points().stream())
        .mapToDouble(Point::y)
        .max()
        .orElse(1);
  }

  private double maxX() {
    return curves.stream()
        .flatMap(curve -> curve.points().stream())
        .mapToDouble(Point::x)
        .max()
        .orElse(1);
  }

  private double x(double x) {
    return LEFT + x / Math.max(maxX(), Double.MIN_NORMAL) * (WIDTH - RIGHT - LEFT);
  }

  private double y(double figure) {
    return HEIGHT - BOTTOM - figure / top() * (HEIGHT - BOTTOM - TOP);
  }

  private static void text(
      StringBuilder svg, double x, double y, String color, String anchor, String what) {
    append(
        svg,
        "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" text-anchor=\"%s\">%s</text>%n",
        x,
        y,
        color,
        anchor,
        what.replace("&", "&amp;").replace("<", "&lt;"));
  }

  private static void append(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }
}
