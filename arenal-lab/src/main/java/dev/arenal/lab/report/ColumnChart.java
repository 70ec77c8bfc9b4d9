package dev.arenal.lab.report;

import java.util.List;
import java.util.Locale;

/**
 * A histogram as a figure of the report: one column for each range, named where there is room, and
 * its figure where it is pointed at. Columns of figures that differ by powers of ten are drawn as
 * they are: the longest says where everything is.
 */
final class ColumnChart {
  private static final double HEIGHT = 100;
  private static final double STEP = 10;
  private static final double COLUMN = 8;

  /** What there is, is seen. */
  private static final double LEAST = 0.6;

  private static final int MOST_NAMES = 5;

  private ColumnChart() {}

  static String figure(String title, List<String> labels, List<Long> figures) {
    long largest = Math.max(1, figures.stream().mapToLong(Long::longValue).max().orElse(1));
    StringBuilder html = new StringBuilder();
    html.append(
        """
        <figure class="columns"><figcaption><b>%s</b> <span>highest: %s</span></figcaption>
        <svg class="one" viewBox="0 0 %.0f %.0f" preserveAspectRatio="none" role="img"\
         aria-label="%s">
        """
            .formatted(
                Markup.escape(title),
                Figures.count(largest),
                STEP * figures.size(),
                HEIGHT,
                Markup.escape(title)));
    for (int i = 0; i < figures.size(); i++) {
      html.append(column(i, labels.get(i), figures.get(i), largest));
    }
    html.append("</svg>\n<div class=\"names\">");
    int every = Math.max(1, Math.ceilDiv(labels.size(), MOST_NAMES));
    for (int i = 0; i < labels.size(); i += every) {
      html.append(
          String.format(
              Locale.ROOT,
              "<span style=\"left:%.2f%%\">%s</span>",
              100.0 * i / labels.size(),
              Markup.escape(labels.get(i))));
    }
    return html.append("</div></figure>\n").toString();
  }

  private static String column(int index, String label, long figure, long largest) {
    double height = figure == 0 ? 0 : Math.max(LEAST, HEIGHT * figure / largest);
    // The whole height takes the pointer, so that small columns can be pointed at.
    return String.format(
        Locale.ROOT,
        "<g><title>%s: %,d</title><rect class=\"hit\" x=\"%.1f\" y=\"0\" width=\"%.1f\""
            + " height=\"%.0f\"/><rect class=\"column\" x=\"%.1f\" y=\"%.2f\" width=\"%.1f\""
            + " height=\"%.2f\"/></g>%n",
        Markup.escape(label),
        figure,
        STEP * index,
        STEP,
        HEIGHT,
        STEP * index + 1,
        HEIGHT - height,
        COLUMN,
        height);
  }
}
