package dev.arenal.bench.tables;

import dev.arenal.bench.tables.CurvePicture.Curve;
import dev.arenal.bench.tables.CurvePicture.Point;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import java.util.List;

/** The time of an arena with one allocation over its size, up to 64 bytes. */
final class ConfinedPicture {
  private ConfinedPicture() {}

  static String svg(ConfinedFigures figures) {
    CurvePicture picture =
        CurvePicture.ofNanos("An arena with one allocation, open to close", "bytes allocated");
    // The legend is the other way round.
    for (Factory factory : figures.factories().reversed()) {
      picture.add(
          new Curve(name(factory), color(factory), dashes(factory), points(figures, factory)));
    }
    return picture.svg();
  }

  private static List<Point> points(ConfinedFigures figures, Factory factory) {
    return figures.rows(false).stream()
        .filter(row ->
            row.shape() == Shape.ONE && row.sizeBytes() <= ConfinedFigures.LARGEST_SMALL_BYTES)
        .map(row -> ConfinedFigures.with(row, factory))
        .filter(cell -> !Double.isNaN(figures.nanos(cell)))
        .map(cell -> point(figures, cell))
        .toList();
  }

  private static Point point(ConfinedFigures figures, ConfinedCell cell) {
    return new Point(cell.sizeBytes(), figures.nanos(cell));
  }

  /** Short enough for the legend. */
  private static String name(Factory factory) {
    return switch (factory) {
      case JDK -> "Arena.ofConfined()";
      case POOLED -> "PooledArena";
      case MALLOC -> "calloc + free";
      case SLICING -> "slices, unsafe";
      case LWJGL -> "LWJGL, unsafe";
      case CONTROL -> "control";
    };
  }

  private static String color(Factory factory) {
    return switch (factory) {
      case JDK -> "#6b5b4b";
      case POOLED -> "#0a5dc2";
      case MALLOC -> "#c4251c";
      case SLICING -> "#8038c9";
      case LWJGL -> "#0b7d6c";
      case CONTROL -> "#b36200";
    };
  }

  private static String dashes(Factory factory) {
    return switch (factory) {
      case JDK, POOLED -> "";
      case MALLOC, SLICING, LWJGL -> "7 4";
      case CONTROL -> "2 3";
    };
  }
}
