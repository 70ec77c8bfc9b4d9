package dev.arenal.lab.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chart as SVG that needs no style sheet and looks the same on a light and on a dark page: for
 * documents. The colours are those of the report on a light page.
 */
final class Picture {
  private static final String INK = "#1a1f25";
  private static final String SOFT = "#57606a";
  private static final int WIDTH = 880;
  private static final int HEIGHT = 340;
  private static final int LEFT = 64;
  private static final int TOP = 44;
  private static final int BOTTOM = 44;
  private static final int LEAST_RIGHT = 240;

  /** The line before a name in the legend, and what a letter takes in wide fonts. */
  private static final int LEGEND_LINE = 42;

  private static final int LETTER = 8;
  private static final int MOST_TICKS = 10;

  /** Of the classes of the style sheet. */
  private static final Map<String, String> COLOURS =
      Map.of(
          "one", "#0a5dc2",
          "two", "#b36200",
          "three", "#c4251c",
          "four", "#8038c9",
          "five", "#0b7d6c",
          "six", "#6b5b4b");

  private static final Map<String, String> DASHES =
      Map.of("dashed", "7 4", "dotted", "2 3", "dashdot", "8 3 2 3");

  private final LineChart chart;
  private final Markup svg = new Markup();

  /** The room on the right, for the longest name of the legend. */
  private final int right;

  private Picture(LineChart chart) {
    this.chart = chart;
    int letters = chart.series().stream().mapToInt(s -> s.name().length()).max().orElse(0);
    this.right = Math.max(LEAST_RIGHT, LEGEND_LINE + LETTER * letters);
  }

  static String svg(LineChart chart) {
    Picture picture = new Picture(chart);
    picture.draw();
    return picture.svg + "\n";
  }

  private void draw() {
    svg.open("svg", "xmlns", "http://www.w3.org/2000/svg");
    svg.attribute("viewBox", "0 0 %d %d".formatted(WIDTH, HEIGHT));
    svg.attribute("width", String.valueOf(WIDTH)).attribute("height", String.valueOf(HEIGHT));
    svg.attribute("font-family", "system-ui, sans-serif").attribute("font-size", "13");
    svg.text("\n");
    svg.empty("rect", "width", "" + WIDTH, "height", "" + HEIGHT, "rx", "8", "fill", "#ffffff");
    svg.attribute("stroke", "#d9dee4").text("\n");
    String subtitle = chart.subtitle().isEmpty() ? "" : ": " + chart.subtitle();
    text(LEFT, 26, INK, "start", chart.title() + subtitle);
    axes();
    for (Series series : chart.series()) {
      String path = series.path(chart.xMax(), this::x, this::y, HEIGHT - BOTTOM);
      curve(series.style(), path);
    }
    legend();
    svg.close();
  }

  private void axes() {
    for (int step = 0; step <= chart.scale().stepCount(); step++) {
      double y = y(chart.scale().at(step));
      String place = Markup.coordinate(y);
      svg.empty("line", "x1", "" + LEFT, "x2", "" + (WIDTH - right), "y1", place, "y2", place);
      svg.attribute("stroke", "#e9ecf0").text("\n");
      text(LEFT - 8, y + 4, SOFT, "end", chart.scale().label(step));
    }
    AxisTicks ticks = AxisTicks.upTo(chart.xMax(), MOST_TICKS);
    for (int i = 0; i < ticks.count(); i++) {
      text(x(ticks.at(i)), HEIGHT - BOTTOM + 16, SOFT, "middle", ticks.label(i));
    }
    String name = chart.isTime() ? "seconds" : chart.xUnit();
    text((LEFT + WIDTH - right) / 2.0, HEIGHT - 8, SOFT, "middle", name);
  }

  private void curve(SeriesStyle style, String path) {
    if (style == SeriesStyle.USED_AREA) {
      svg.empty("path", "fill", "#d3d9e0", "d", path).text("\n");
      return;
    }
    String[] words = style.name().toLowerCase(Locale.ROOT).split("_", -1);
    svg.empty(
        "path", "fill", "none", "stroke-width", "2", "stroke", COLOURS.getOrDefault(words[0], INK));
    String dashes = words.length > 1 ? DASHES.get(words[1]) : null;
    if (dashes != null) {
      svg.attribute("stroke-dasharray", dashes);
    }
    svg.attribute("d", path).text("\n");
  }

  /** The curve that ends highest first, as they lie; areas are last. */
  private void legend() {
    List<Series> entries = new ArrayList<>(chart.series());
    entries.sort((a, b) -> Double.compare(end(b), end(a)));
    int left = WIDTH - right + 14;
    int y = TOP + 12;
    for (Series series : entries) {
      boolean isArea = series.style() == SeriesStyle.USED_AREA;
      curve(
          series.style(),
          isArea
              ? "M%d %dh20v12h-20Z".formatted(left, y - 10)
              : "M%d %dh20".formatted(left, y - 4));
      text(left + 28, y, INK, "start", series.name());
      y += 26;
    }
  }

  private static double end(Series series) {
    int last = series.lastFigure();
    return last < 0 || series.style() == SeriesStyle.USED_AREA ? -1 : series.y(last);
  }

  private void text(double x, double y, String colour, String anchor, String text) {
    svg.open("text", "x", Markup.coordinate(x), "y", Markup.coordinate(y), "fill", colour);
    svg.attribute("text-anchor", anchor).text(text).close().text("\n");
  }

  private double x(double x) {
    return LEFT + x / chart.xMax() * (WIDTH - right - LEFT);
  }

  private double y(double figure) {
    return HEIGHT - BOTTOM - figure / chart.scale().top() * (HEIGHT - BOTTOM - TOP);
  }
}
