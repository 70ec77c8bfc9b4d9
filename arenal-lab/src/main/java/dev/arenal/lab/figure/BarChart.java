package dev.arenal.lab.figure;

import java.util.List;

/**
 * Bars of figures to compare, one below the other.
 *
 * @param empty stands in place of bars if there are none; an empty text leaves the chart out
 * @param longest the figure at the end of the track: charts that are compared share it
 * @param markAt the figure at which a dashed line stands; not above zero for none
 * @param note how to read it
 */
public record BarChart(
    String title,
    String subtitle,
    String empty,
    double longest,
    double markAt,
    String note,
    List<Bar> bars)
    implements Part {

  /** Keeps a copy. */
  public BarChart {
    bars = List.copyOf(bars);
  }

  /**
   * A bar.
   *
   * @param isHatched whether it is of another kind, which the note explains
   * @param shown the figure in words
   */
  public record Bar(
      String name, SeriesStyle style, boolean isHatched, double figure, String shown) {}
}
