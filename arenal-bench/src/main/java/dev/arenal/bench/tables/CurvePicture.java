package dev.arenal.bench.tables;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Curves of bytes over something as SVG that needs no style sheet and looks the same on a light and
 * on a dark page. The colours are those of the lab's report.
 */
final class CurvePicture {
  static final String LIVE = "#d3d9e0";

  /** The name of an x axis that has figures; those of other things tell little. */
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

  private final String title;
  private final String xName;
  private final List<Curve> curves = new ArrayList<>();

  CurvePicture(String title, String xName) {
    this.title = title;
    this.xName = xName;
  }

  /** A point of a curve. */
  record Point(double x, double bytes) {}

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
    double step = stepBytes();
    for (double bytes = 0; bytes <= topBytes(); bytes += step) {
      append(
          svg,
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e9ecf0\"/>%n",
          LEFT,
          WIDTH - RIGHT,
          y(bytes),
          y(bytes));
      String label = String.format(Locale.ROOT, "%.0f", bytes / MIB);
      text(svg, LEFT - 8, y(bytes) + 4, SOFT, "end", label);
    }
    text(svg, LEFT - 8, TOP - 14, SOFT, "end", "MiB");
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, SOFT, "middle", xName);
    if (xName.equals(SECONDS)) {
      seconds(svg);
    }
  }

  private void curve(StringBuilder svg, Curve curve) {
    boolean isArea = curve.color().equals(LIVE);
    if (isArea) {
      append(svg, "<path fill=\"%s\" d=\"M", curve.color());
      append(svg, "%.1f %.1f", x(curve.points().getFirst().x()), y(0));
      curve.points().forEach(point -> append(svg, " L%.1f %.1f", x(point.x()), y(point.bytes())));
      append(svg, " L%.1f %.1f Z\"/>%n", x(curve.points().getLast().x()), y(0));
      return;
    }
    append(
        svg,
        "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\"%s points=\"",
        curve.color(),
        dashes(curve));
    curve.points().forEach(point -> append(svg, "%.1f,%.1f ", x(point.x()), y(point.bytes())));
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

  private void seconds(StringBuilder svg) {
    double step = roundStep(maxX(), MOST_SECONDS_NAMED);
    for (double x = 0; x <= maxX(); x += step) {
      text(svg, x(x), HEIGHT - BOTTOM + 16, SOFT, "middle", Figures.plain(x));
    }
  }

  private double topBytes() {
    double step = stepBytes();
    return Math.ceil(maxBytes() / step) * step;
  }

  private double stepBytes() {
    return roundStep(maxBytes() / MIB, MOST_LINES) * MIB;
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

  private double maxBytes() {
    return curves.stream()
        .flatMap(curve -> curve.points().stream())
        .mapToDouble(Point::bytes)
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

  private double y(double bytes) {
    return HEIGHT - BOTTOM - bytes / topBytes() * (HEIGHT - BOTTOM - TOP);
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
