package dev.arenal.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.arenal.lab.report.LineChart.Marker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A chart as HTML and SVG. The curves are stretched to whatever room there is, and all text is HTML
 * placed in per cent, so that it has the same size on a phone, on a screen and on paper.
 */
final class ChartMarkup {
  /** Units of the drawing to each side; only their ratio to a coordinate matters. */
  private static final double SIDE = 1000;

  private static final double PERCENT = 100;

  /** Labels at the ends of curves are that far apart, in per cent of the height. */
  private static final double LABEL_GAP = 6.5;

  private final LineChart chart;
  private final StringBuilder html = new StringBuilder();

  ChartMarkup(LineChart chart) {
    this.chart = chart;
  }

  String figure() {
    html.append(
        "<figure class=\"chart%s\" data-group=\"%s\" data-chart=\"%s\">\n"
            .formatted(
                chart.isSmall() ? " small" : "",
                Markup.escape(chart.group()),
                Markup.escape(data().toString())));
    html.append(
        "<figcaption><b>%s</b> <span>%s</span></figcaption>\n"
            .formatted(Markup.escape(chart.title()), Markup.escape(chart.subtitle())));
    plot();
    legend();
    return html.append("</figure>\n").toString();
  }

  private void plot() {
    html.append(
        "<div class=\"plot\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(Markup.escape(description())));
    html.append("<div class=\"field\">\n");
    html.append(
        "<svg viewBox=\"0 0 %1$.0f %1$.0f\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\n"
            .formatted(SIDE));
    gridLines();
    chart.markers().forEach(this::markerLine);
    chart.series().forEach(this::curve);
    html.append("</svg>\n");
    yLabels();
    xLabels();
    markerLabels("narrow", MarkerLabels.NARROW);
    if (!chart.isSmall()) {
      markerLabels("roomy", MarkerLabels.ROOMY);
      endLabels();
    }
    html.append("</div></div>\n");
  }

  private String description() {
    List<String> names = chart.series().stream().map(Series::name).toList();
    return "%s: %s in %s over %s"
        .formatted(chart.title(), String.join(", ", names), chart.scale().unit(), xAxisName());
  }

  private String xAxisName() {
    return isTime() ? "seconds" : chart.xUnit();
  }

  private boolean isTime() {
    return chart.xUnit().equals("s");
  }

  private void gridLines() {
    for (int step = 0; step <= chart.scale().countSteps(); step++) {
      String y = Markup.coordinate(y(chart.scale().at(step)));
      html.append(
          "<line class=\"rule\" x1=\"0\" x2=\"%.0f\" y1=\"%s\" y2=\"%s\"/>".formatted(SIDE, y, y));
    }
    html.append('\n');
  }

  private void markerLine(Marker marker) {
    String x = Markup.coordinate(x(marker.x()));
    html.append(
        "<line class=\"moment\" x1=\"%s\" x2=\"%s\" y1=\"0\" y2=\"%.0f\"/>\n"
            .formatted(x, x, SIDE));
  }

  private void curve(Series series) {
    boolean isArea = series.style() == SeriesStyle.USED_AREA;
    StringBuilder path = new StringBuilder();
    int previous = -1;
    for (int i : CurveThinning.indices(series, chart.xMax())) {
      if (series.isGap(i)) {
        close(path, series, previous, isArea);
        previous = -1;
        continue;
      }
      String x = Markup.coordinate(x(series.x(i)));
      String y = Markup.coordinate(y(series.y(i)));
      if (previous < 0) {
        path.append('M').append(x).append(' ');
        path.append(isArea ? Markup.coordinate(SIDE) + "L" + x + " " + y : y);
      } else {
        path.append('L').append(x).append(' ').append(y);
      }
      previous = i;
    }
    close(path, series, previous, isArea);
    html.append("<path class=\"%s\" d=\"%s\"/>\n".formatted(series.style().cssClasses(), path));
  }

  /** An area goes back down to zero where its curve ends. */
  private void close(StringBuilder path, Series series, int last, boolean isArea) {
    if (isArea && last >= 0) {
      String x = Markup.coordinate(x(series.x(last)));
      path.append('L').append(x).append(' ').append(Markup.coordinate(SIDE)).append('Z');
    }
  }

  private void yLabels() {
    for (int step = 0; step <= chart.scale().countSteps(); step++) {
      html.append(
          "<span class=\"y\" style=\"top:%s%%\">%s</span>"
              .formatted(percent(y(chart.scale().at(step))), chart.scale().label(step)));
    }
    html.append('\n');
  }

  private void xLabels() {
    if (chart.isSmall() && !chart.markers().isEmpty()) {
      return;
    }
    AxisTicks ticks = AxisTicks.upTo(chart.xMax(), chart.isSmall() ? 2 : 6);
    for (int i = 0; i < ticks.count(); i++) {
      double at = ticks.at(i);
      html.append(
          "<span class=\"x\" style=\"left:%s%%\">%s</span>"
              .formatted(percent(x(at)), Markup.escape(ticks.label(i) + (isTime() ? " s" : ""))));
    }
    if (!isTime() && !chart.isSmall()) {
      html.append("<span class=\"xname\">%s</span>".formatted(Markup.escape(chart.xUnit())));
    }
    html.append('\n');
  }

  /** The style sheet shows one kind of them. */
  private void markerLabels(String kind, double width) {
    MarkerLabels.of(chart.markers(), chart.xMax(), width)
        .forEach(label -> html.append(label.html(kind)));
  }

  /** The name of each curve beside its end, pushed apart where ends are close. */
  private void endLabels() {
    List<EndLabel> labels = new ArrayList<>();
    for (Series series : chart.series()) {
      int last = series.lastFigure();
      if (last >= 0 && series.style() != SeriesStyle.USED_AREA) {
        labels.add(new EndLabel(series, y(series.y(last)) / SIDE * PERCENT));
      }
    }
    labels.sort(Comparator.comparingDouble(EndLabel::wantedTop));
    double[] tops =
        LabelSpread.apart(
            labels.stream().mapToDouble(EndLabel::wantedTop).toArray(), LABEL_GAP, PERCENT);
    for (int i = 0; i < tops.length; i++) {
      Series series = labels.get(i).series();
      html.append(
          "<span class=\"end %s\" style=\"top:%s%%\">%s</span>"
              .formatted(
                  series.style().cssClasses(), decimal(tops[i]), Markup.escape(series.name())));
    }
    html.append('\n');
  }

  private record EndLabel(Series series, double wantedTop) {}

  private void legend() {
    html.append("<ul class=\"legend\">\n");
    for (Series series : chart.series()) {
      html.append(
          "<li>%s<span>%s</span> <output></output></li>\n"
              .formatted(key(series.style()), Markup.escape(series.name())));
    }
    html.append("</ul>\n");
  }

  /** A short piece of a curve, to stand before its name. */
  static String key(SeriesStyle style) {
    String shape =
        style == SeriesStyle.USED_AREA
            ? "<rect class=\"used\" width=\"26\" height=\"10\"/>"
            : "<path class=\"%s\" d=\"M1 5H25\"/>".formatted(style.cssClasses());
    return "<svg class=\"key\" viewBox=\"0 0 26 10\" aria-hidden=\"true\">%s</svg>"
        .formatted(shape);
  }

  /** What the script needs to tell the values: equal x axes are there once. */
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

  /** Two digits behind the point are more than is shown; whole numbers have none. */
  private static void addNumber(ArrayNode array, double value) {
    double rounded = Math.round(value * 100) / 100.0;
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

  private static String percent(double coordinate) {
    return decimal(coordinate / SIDE * PERCENT);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
