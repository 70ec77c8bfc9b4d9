package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * README's picture: what stays of one replay in three allocators, over what is alive, as SVG that
 * needs no style sheet and looks the same on a light and on a dark page.
 */
final class ReplayPicture {
  private static final String TRACE = "by-class";
  private static final int WIDTH = 880;
  private static final int HEIGHT = 340;
  private static final int LEFT = 56;
  private static final int RIGHT = 190;
  private static final int TOP = 44;
  private static final int BOTTOM = 40;
  private static final double MIB = 1024 * 1024;
  private static final int USED = 1;
  private static final int COMMITTED = 2;
  private static final int RESIDENT = 3;

  private final JsonNode trace;
  private final double maxBytes;
  private final double maxOperation;
  private final StringBuilder svg = new StringBuilder();

  private ReplayPicture(JsonNode trace) {
    this.trace = trace;
    double bytes = 1;
    double operation = 1;
    for (JsonNode result : trace.path("results")) {
      for (JsonNode point : result.path("timeline")) {
        operation = Math.max(operation, point.path(0).asDouble());
        bytes = Math.max(bytes, point.path(COMMITTED).asDouble());
        bytes = Math.max(bytes, point.path(RESIDENT).asDouble());
      }
    }
    this.maxBytes = Math.ceil(bytes / (100 * MIB)) * 100 * MIB;
    this.maxOperation = operation;
  }

  /** The picture, or an empty text if the results do not have the trace. */
  static String svg(JsonNode traces) {
    for (JsonNode trace : traces) {
      if (trace.path("trace").asText().equals(TRACE)) {
        return new ReplayPicture(trace).draw();
      }
    }
    return "";
  }

  private String draw() {
    append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
            + " height=\"%d\" font-family=\"system-ui, sans-serif\" font-size=\"13\">%n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    append(
        "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\" stroke=\"#d8dee4\"/>%n",
        WIDTH, HEIGHT);
    text(LEFT, 26, "#1f2328", "start", "40,000 classes loaded by turns, released, loaded again");
    grid();
    area("elastic", "#d8dee4");
    line("malloc", RESIDENT, "#cf222e");
    line("hotspot", COMMITTED, "#bc6c00");
    line("elastic", RESIDENT, "#1a7f37");
    legend();
    append("</svg>%n");
    return svg.toString();
  }

  private void grid() {
    for (double bytes = 0; bytes <= maxBytes; bytes += 100 * MIB) {
      append(
          "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#eaeef2\"/>%n",
          LEFT, WIDTH - RIGHT, y(bytes), y(bytes));
      String label = String.format(Locale.ROOT, "%.0f", bytes / MIB);
      text(LEFT - 8, y(bytes) + 4, "#59636e", "end", label);
    }
    text(LEFT - 8, TOP - 14, "#59636e", "end", "MiB");
    text(
        (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "#59636e", "middle", "allocations and releases");
  }

  private void area(String allocator, String color) {
    append("<path fill=\"%s\" d=\"M%d %.1f", color, LEFT, y(0));
    for (JsonNode point : timeline(allocator)) {
      append(" L%.1f %.1f", x(point), y(point.path(USED).asDouble()));
    }
    append(" L%d %.1f Z\"/>%n", WIDTH - RIGHT, y(0));
  }

  private void line(String allocator, int column, String color) {
    append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", color);
    for (JsonNode point : timeline(allocator)) {
      if (point.path(column).isNumber()) {
        append("%.1f,%.1f ", x(point), y(point.path(column).asDouble()));
      }
    }
    append("\"/>%n");
  }

  private void legend() {
    int x = WIDTH - RIGHT + 14;
    String[][] entries = {
      {"#cf222e", "malloc, resident"},
      {"#bc6c00", "HotSpot, committed"},
      {"#1a7f37", "Arenal, resident"},
      {"#d8dee4", "alive"}
    };
    for (int i = 0; i < entries.length; i++) {
      int y = TOP + 12 + 26 * i;
      append(
          "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" rx=\"3\" fill=\"%s\"/>%n",
          x, y - 11, entries[i][0]);
      text(x + 22, y, "#1f2328", "start", entries[i][1]);
    }
  }

  private JsonNode timeline(String allocator) {
    for (JsonNode result : trace.path("results")) {
      if (result.path("allocator").asText().equals(allocator)) {
        return result.path("timeline");
      }
    }
    return trace.path("timeline"); // missing
  }

  private double x(JsonNode point) {
    return LEFT + point.path(0).asDouble() / maxOperation * (WIDTH - RIGHT - LEFT);
  }

  private double y(double bytes) {
    return HEIGHT - BOTTOM - bytes / maxBytes * (HEIGHT - BOTTOM - TOP);
  }

  private void text(double x, double y, String color, String anchor, String what) {
    append(
        "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" text-anchor=\"%s\">%s</text>%n",
        x, y, color, anchor, what);
  }

  private void append(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }
}
