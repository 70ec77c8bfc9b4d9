package dev.arenal.lab.figure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.figure.LineChart.Marker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A chart as HTML and SVG. The curves are stretched to whatever room there is, and all text is HTML
 * placed in per cent, so that it has the same size on a phone, on a screen and on paper.
 */
record ChartMarkup(LineChart chart, Markup html) {
  /** Units of the drawing to each side; only their ratio to a coordinate matters. */
  private static final double SIDE = 1000;

  /** Labels at the ends of curves are that far apart, in units. */
  private static final double LABEL_GAP = 65;

  void write() {
    html.open(
        "figure",
        "class",
        chart.isSmall() ? "chart small" : "chart",
        "data-group",
        chart.group(),
        "data-chart",
        data().toString());
    html.text("\n").open("figcaption").text("b", chart.title()).text(" ");
    html.text("span", chart.subtitle()).close().text("\n");
    plot();
    legend();
    html.close();
  }

  private void plot() {
    html.open("div", "class", "plot", "role", "img", "aria-label", description());
    html.open("div", "class", "field").text("\n");
    html.open("svg", "viewBox", "0 0 1000 1000", "preserveAspectRatio", "none");
    html.attribute("aria-hidden", "true");
    for (int step = 0; step <= chart.scale().stepCount(); step++) {
      String y = Markup.coordinate(y(chart.scale().at(step)));
      line("rule", "0", "1000", y, y);
    }
    for (Marker marker : chart.markers()) {
      String x = Markup.coordinate(x(marker.x()));
      line("moment", x, x, "0", "1000");
    }
    for (Series series : chart.series()) {
      String path = series.path(chart.xMax(), this::x, this::y, SIDE);
      html.open("path", "class", series.style().cssClasses(), "d", path).close();
    }
    html.close().text("\n");
    yLabels();
    xLabels();
    markerLabels("narrow", MarkerLabels.NARROW);
    if (!chart.isSmall()) {
      markerLabels("roomy", MarkerLabels.ROOMY);
      endLabels();
    }
    html.close().close().text("\n");
  }

  private void line(String kind, String x1, String x2, String y1, String y2) {
    html.empty("line", "class", kind, "x1", x1, "x2", x2, "y1", y1, "y2", y2);
  }

  private String description() {
    List<String> names = chart.series().stream().map(Series::name).toList();
    return "%s: %s in %s over %s"
        .formatted(
            chart.title(),
            String.join(", ", names),
            chart.scale().unit(),
            chart.isTime() ? "seconds" : chart.xUnit());
  }

  private void label(String kind, String place, double coordinate, String text) {
    html.text(
        "span", text, "class", kind, "style", place + ":" + Markup.percent(coordinate / SIDE));
  }

  private void yLabels() {
    for (int step = 0; step <= chart.scale().stepCount(); step++) {
      label("y", "top", y(chart.scale().at(step)), chart.scale().label(step));
    }
  }

  private void xLabels() {
    if (chart.isSmall() && !chart.markers().isEmpty()) {
      return;
    }
    AxisTicks ticks = AxisTicks.upTo(chart.xMax(), chart.isSmall() ? 2 : 6);
    for (int i = 0; i < ticks.count(); i++) {
      label("x", "left", x(ticks.at(i)), ticks.label(i) + (chart.isTime() ? " s" : ""));
    }
    if (!chart.isTime() && !chart.isSmall()) {
      html.text("span", chart.xUnit(), "class", "xname");
    }
  }

  /** The style sheet shows one kind of them. */
  private void markerLabels(String kind, double width) {
    MarkerLabels.of(chart.markers(), chart.xMax(), width).forEach(label -> label.write(html, kind));
  }

  /** The name of each curve beside its end, pushed apart where ends are close. */
  private void endLabels() {
    List<EndLabel> labels = new ArrayList<>();
    for (Series series : chart.series()) {
      int last = series.lastFigure();
      if (last >= 0 && series.style() != SeriesStyle.USED_AREA) {
        labels.add(new EndLabel(series, y(series.y(last))));
      }
    }
    labels.sort(Comparator.comparingDouble(EndLabel::wantedTop));
    double[] tops =
        apart(labels.stream().mapToDouble(EndLabel::wantedTop).toArray(), LABEL_GAP, SIDE);
    for (int i = 0; i < tops.length; i++) {
      Series series = labels.get(i).series();
      label("end " + series.style().cssClasses(), "top", tops[i], series.name());
    }
  }

  private record EndLabel(Series series, double wantedTop) {}

  /**
   * Places at least a gap apart and not below the end, moved as little as it takes; where there is
   * no room for all, the first ones stand above the beginning.
   *
   * @param wanted rising
   */
  static double[] apart(double[] wanted, double gap, double end) {
    double[] places = wanted.clone();
    for (int i = 1; i < places.length; i++) {
      places[i] = Math.max(places[i], places[i - 1] + gap);
    }
    double limit = end;
    for (int i = places.length - 1; i >= 0; i--) {
      places[i] = Math.min(places[i], limit);
      limit = places[i] - gap;
    }
    return places;
  }

  private void legend() {
    html.open("ul", "class", "legend").text("\n");
    for (Series series : chart.series()) {
      html.open("li").open("svg", "class", "key", "viewBox", "0 0 26 10", "aria-hidden", "true");
      if (series.style() == SeriesStyle.USED_AREA) {
        html.empty("rect", "class", "used", "width", "26", "height", "10");
      } else {
        html.empty("path", "class", series.style().cssClasses(), "d", "M1 5H25");
      }
      html.close().text("span", series.name()).text(" ");
      html.open("output").close().close().text("\n");
    }
    html.close();
  }

  /** The data from which the script shows the values: equal x axes are there once. */
  private ObjectNode data() {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("xMax", chart.xMax());
    data.put("xUnit", chart.xUnit());
    data.put("unit", chart.scale().unit());
    data.put("top", chart.scale().top() / chart.scale().unitSize());
    ArrayNode axes = data.putArray("xs");
    ArrayNode curves = data.putArray("series");
    List<Series> known = new ArrayList<>();
    for (Series series : chart.series()) {
      int axis = 0;
      while (axis < known.size() && !known.get(axis).hasSameXs(series)) {
        axis++;
      }
      if (axis == known.size()) {
        known.add(series);
        ArrayNode xs = axes.addArray();
        for (int i = 0; i < series.count(); i++) {
          addNumber(xs, series.x(i));
        }
      }
      ObjectNode curve = curves.addObject();
      curve.put("name", series.name());
      curve.put("axis", axis);
      ArrayNode ys = curve.putArray("ys");
      for (int i = 0; i < series.count(); i++) {
        addFigure(ys, series.y(i));
      }
    }
    return data;
  }

  private void addFigure(ArrayNode ys, double figure) {
    if (Double.isNaN(figure)) {
      ys.addNull();
    } else {
      addNumber(ys, figure / chart.scale().unitSize());
    }
  }

  /** Two digits behind the point are more than is shown; of what is less than one it is five. */
  private static void addNumber(ArrayNode array, double value) {
    double digits = Math.abs(value) < 1 ? 1e5 : 100;
    double rounded = Math.round(value * digits) / digits;
    if (rounded == Math.rint(rounded)) {
      array.add((long) rounded);
    } else {
      array.add(rounded);
    }
  }

  private double x(double x) {
    return SIDE * x / chart.xMax();
  }

  private double y(double figure) {
    return SIDE - SIDE * figure / chart.scale().top();
  }
}
