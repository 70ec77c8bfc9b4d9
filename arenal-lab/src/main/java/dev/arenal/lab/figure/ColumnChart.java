package dev.arenal.lab.figure;

import java.util.List;

/**
 * A histogram: one column for each range, named where there is room, and its figure where it is
 * pointed at. Columns of figures that differ by powers of ten are drawn as they are: the longest
 * says where everything is.
 *
 * @param labels the names of the ranges
 * @param figures as many
 */
public record ColumnChart(String title, List<String> labels, List<Long> figures) implements Part {
  /** Keeps copies. */
  public ColumnChart {
    labels = List.copyOf(labels);
    figures = List.copyOf(figures);
  }
}
