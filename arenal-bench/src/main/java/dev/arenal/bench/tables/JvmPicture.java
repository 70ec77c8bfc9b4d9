package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.bench.tables.CurvePicture.Curve;
import dev.arenal.bench.tables.CurvePicture.Point;
import java.util.ArrayList;
import java.util.List;

/** What real JVMs have committed for their metaspace, over what one of them uses. */
final class JvmPicture {
  private static final int TIME = 0;
  private static final int USED = 1;
  private static final int COMMITTED = 2;
  private static final String[] COLORS = {
    "#c4251c", "#b36200", "#0a5dc2", "#8038c9", "#0b7d6c", "#6b5b4b"
  };
  private static final String[] DASHES = {"", "7 4", "2 3"};

  private JvmPicture() {}

  /** Committed of each JVM; what is used is that of the last one, as they run the same program. */
  static String svg(JsonNode results) {
    List<JsonNode> jvms = new ArrayList<>();
    results.path("jvms").forEach(jvms::add);
    CurvePicture picture =
        new CurvePicture(
            "Metaspace of real JVMs: committed, over what is used", CurvePicture.SECONDS);
    if (!jvms.isEmpty()) {
      JsonNode last = jvms.getLast();
      String name = "used, " + JvmTables.name(last);
      picture.add(new Curve(name, CurvePicture.LIVE, "", points(last, USED)));
    }
    // The newest lies lowest, and the legend is the other way round: the stock one is first.
    for (int i = jvms.size() - 1; i >= 0; i--) {
      String dashes = DASHES[i / COLORS.length % DASHES.length];
      picture.add(
          new Curve(
              JvmTables.name(jvms.get(i)),
              COLORS[i % COLORS.length],
              dashes,
              points(jvms.get(i), COMMITTED)));
    }
    return picture.svg();
  }

  private static List<Point> points(JsonNode jvm, int column) {
    List<Point> points = new ArrayList<>();
    for (JsonNode point : jvm.path("timeline")) {
      if (point.path(column).isNumber()) {
        points.add(new Point(point.path(TIME).asDouble(), point.path(column).asDouble()));
      }
    }
    return points;
  }
}
