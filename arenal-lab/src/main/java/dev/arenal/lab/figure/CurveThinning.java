package dev.arenal.lab.figure;

import java.util.ArrayList;
import java.util.List;

/**
 * Which points of a long curve are drawn: the first, the lowest, the highest and the last of each
 * narrow column, so that no peak gets lost and no page gets fat.
 */
final class CurveThinning {
  /** More columns than a chart has pixels on most screens. */
  private static final int COLUMN_COUNT = 600;

  private CurveThinning() {}

  /** Indices of the points to draw, rising; all of a short curve. */
  static List<Integer> indices(Series series, double xMax) {
    List<Integer> indices = new ArrayList<>();
    boolean isShort = series.count() <= 4 * COLUMN_COUNT;
    for (int first = 0; first < series.count(); ) {
      int next = first + 1;
      if (!isShort) {
        int column = column(series.x(first), xMax);
        while (next < series.count() && column(series.x(next), xMax) == column) {
          next++;
        }
      }
      addColumn(indices, series, first, next);
      first = next;
    }
    return indices;
  }

  private static int column(double x, double xMax) {
    return (int) (x / xMax * COLUMN_COUNT);
  }

  private static void addColumn(List<Integer> indices, Series series, int first, int end) {
    int lowest = first;
    int highest = first;
    for (int i = first; i < end; i++) {
      // A gap is the lowest there can be: it is not drawn over.
      lowest = height(series, i) < height(series, lowest) ? i : lowest;
      highest = height(series, i) > height(series, highest) ? i : highest;
    }
    int[] wanted = {first, Math.min(lowest, highest), Math.max(lowest, highest), end - 1};
    for (int index : wanted) {
      if (indices.isEmpty() || indices.getLast() < index) {
        indices.add(index);
      }
    }
  }

  private static double height(Series series, int index) {
    return series.isGap(index) ? -1 : series.y(index);
  }
}
