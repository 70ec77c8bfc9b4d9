package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.bench.tables.CurvePicture.Curve;
import dev.arenal.bench.tables.CurvePicture.Point;
import java.util.ArrayList;
import java.util.List;

/** README's picture: what stays of one replay in several allocators, over what is alive. */
final class ReplayPicture {
  private static final String TRACE = "by-class";
  private static final int USED = 1;
  private static final int COMMITTED = 2;
  private static final int RESIDENT = 3;

  private ReplayPicture() {}

  /** The picture, or an empty text if the results do not have the trace. */
  static String svg(JsonNode traces) {
    for (JsonNode trace : traces) {
      if (trace.path("trace").asText().equals(TRACE)) {
        return draw(trace);
      }
    }
    return "";
  }

  private static String draw(JsonNode trace) {
    CurvePicture picture =
        new CurvePicture(
            "40,000 classes loaded by turns, released, loaded again", "allocations and releases");
    picture.add(new Curve("alive", CurvePicture.LIVE, "", points(trace, "elastic", USED)));
    add(picture, trace, "elastic", "Arenal, resident", "#0a5dc2", RESIDENT);
    add(picture, trace, "hotspot", "HotSpot, committed", "#b36200", COMMITTED);
    add(picture, trace, "mimalloc", "mimalloc, resident", "#0b7d6c", RESIDENT);
    add(picture, trace, "jemalloc", "jemalloc, resident", "#8038c9", RESIDENT);
    add(picture, trace, "malloc", "malloc, resident", "#c4251c", RESIDENT);
    return picture.svg();
  }

  private static void add(
      CurvePicture picture,
      JsonNode trace,
      String allocator,
      String name,
      String color,
      int column) {
    picture.add(new Curve(name, color, "", points(trace, allocator, column)));
  }

  private static List<Point> points(JsonNode trace, String allocator, int column) {
    List<Point> points = new ArrayList<>();
    for (JsonNode result : trace.path("results")) {
      if (result.path("allocator").asText().equals(allocator)) {
        for (JsonNode point : result.path("timeline")) {
          if (point.path(column).isNumber()) {
            points.add(new Point(point.path(0).asDouble(), point.path(column).asDouble()));
          }
        }
      }
    }
    return points;
  }
}
