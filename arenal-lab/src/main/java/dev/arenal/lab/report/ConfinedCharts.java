package dev.arenal.lab.report;

import dev.arenal.lab.confined.ConfinedResult;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import java.util.Comparator;
import java.util.List;

/** The time of an arena with one allocation, over its size: small sizes, and all of them. */
final class ConfinedCharts {
  private static final int LARGEST_SMALL_BYTES = 64;

  /** A line through one point is none. */
  private static final int FEWEST_POINTS = 2;

  private ConfinedCharts() {}

  static String html(List<ConfinedResult> results) {
    StringBuilder html = new StringBuilder();
    html.append(chart(results, "Up to 64 bytes", LARGEST_SMALL_BYTES));
    boolean hasLarge =
        results.stream()
            .anyMatch(result ->
                result.cell().shape() == Shape.ONE
                    && result.cell().sizeBytes() > LARGEST_SMALL_BYTES);
    if (hasLarge) {
      html.append(chart(results, "All sizes", Integer.MAX_VALUE));
    }
    return html.toString();
  }

  private static String chart(List<ConfinedResult> results, String title, int mostBytes) {
    LineChart.Builder chart =
        LineChart.of(title).subtitle("one allocation, platform thread").nanos().xAxis("bytes");
    boolean isEmpty = true;
    for (Factory factory : Factory.values()) {
      List<ConfinedResult> points =
          results.stream()
              .filter(result -> result.cell().factory() == factory)
              .filter(result -> result.cell().shape() == Shape.ONE && !result.cell().isVirtual())
              .filter(result -> result.cell().sizeBytes() <= mostBytes)
              .sorted(Comparator.comparingInt(result -> result.cell().sizeBytes()))
              .toList();
      if (points.size() >= FEWEST_POINTS) {
        isEmpty = false;
        chart.series(
            factory.label(),
            style(factory),
            points.stream().mapToDouble(point -> point.cell().sizeBytes()).toArray(),
            points.stream().mapToDouble(ConfinedResult::nanosPerOperation).toArray());
      }
    }
    return isEmpty ? "" : chart.figure();
  }

  /** The colours that Arenal, the JDK's arenas and malloc have in the other charts too. */
  private static SeriesStyle style(Factory factory) {
    return switch (factory) {
      case JDK -> SeriesStyle.SIX;
      case POOLED -> SeriesStyle.ONE;
      case MALLOC -> SeriesStyle.THREE_DASHED;
      case SLICING -> SeriesStyle.FOUR_DASHED;
      case LWJGL -> SeriesStyle.FIVE_DASHED;
      case CONTROL -> SeriesStyle.TWO_DOTTED;
    };
  }
}
