package dev.arenal.lab.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Curves of bytes, or of time, over one x axis, as a figure of the report. Drawn as SVG here and
 * not in the browser, so that it shows without scripts and on paper; the script adds the values
 * under the pointer.
 *
 * @param title its heading
 * @param subtitle a few more words behind it; may be empty
 * @param xUnit what the x axis counts: {@code s}, or the name of a thing
 * @param xMax where the x axis ends
 * @param scale the y axis
 * @param isSmall whether it is one of many that stand side by side
 * @param group charts of one group show the same moment when one of them is pointed at; may be
 *     empty
 * @param series its curves, the first one lowest
 * @param markers moments with a name
 */
public record LineChart(
    String title,
    String subtitle,
    String xUnit,
    double xMax,
    Scale scale,
    boolean isSmall,
    String group,
    List<Series> series,
    List<Marker> markers)
    implements Part {
  /** A moment with a name, drawn as a vertical line. */
  public record Marker(double x, String label) {}

  /** A chart with that heading, to be filled. */
  public static Builder of(String title) {
    return new Builder(title);
  }

  /** The parts of a chart; everything but a heading may be left out. */
  public static final class Builder {
    private final String title;
    private final List<Series> series = new ArrayList<>();
    private final List<Marker> markers = new ArrayList<>();
    private String subtitle = "";
    private String xUnit = "s";
    private String group = "";
    private Measure measure = Measure.BYTES;
    private double xMax;
    private double yMax;
    private boolean isSmall;

    private Builder(String title) {
      this.title = title;
    }

    public Builder subtitle(String words) {
      subtitle = words;
      return this;
    }

    /** Names what x counts: {@code s} for seconds, or things in the plural. */
    public Builder xAxis(String unit) {
      xUnit = unit;
      return this;
    }

    /** Makes the x axis that long at least, to share one with other charts. */
    public Builder xUpTo(double x) {
      xMax = Math.max(xMax, x);
      return this;
    }

    /** Makes the y axis, of bytes, that high at least, to share one with other charts. */
    public Builder scaleUpToBytes(long bytes) {
      yMax = Math.max(yMax, (double) bytes);
      return this;
    }

    /** Makes the y axis one of nanoseconds. */
    public Builder nanos() {
      measure = Measure.NANOS;
      return this;
    }

    /** Makes it one of many that stand side by side, with less of everything. */
    public Builder small() {
      isSmall = true;
      return this;
    }

    /** Lets it show the same moment as the other charts of the group; they share their x axis. */
    public Builder group(String name) {
      group = name;
      return this;
    }

    /**
     * Adds a curve of things, above those added before.
     *
     * @param x of each thing, rising
     * @param y its figure, not a number where there is none
     */
    public <T> Builder series(
        String name,
        SeriesStyle style,
        List<T> things,
        ToDoubleFunction<T> x,
        ToDoubleFunction<T> y) {
      double[] xs = things.stream().mapToDouble(x).toArray();
      return series(name, style, xs, things.stream().mapToDouble(y).toArray());
    }

    /**
     * Adds a curve, above those added before.
     *
     * @param xs rising
     * @param ys a figure for each x, not a number where there is none
     */
    public Builder series(String name, SeriesStyle style, double[] xs, double[] ys) {
      if (xs.length != ys.length) {
        throw new IllegalArgumentException(
            "series has more figures on one axis: name=%s, countX=%d, countY=%d (expected as many)"
                .formatted(name, xs.length, ys.length));
      }
      series.add(new Series(name, style, xs, ys));
      for (int i = 0; i < xs.length; i++) {
        xMax = Math.max(xMax, xs[i]);
        yMax = Double.isNaN(ys[i]) ? yMax : Math.max(yMax, ys[i]);
      }
      return this;
    }

    /** Adds a vertical line with a name. */
    public Builder marker(double x, String label) {
      markers.add(new Marker(x, label));
      return this;
    }

    /** Whether there is no curve yet. */
    public boolean isEmpty() {
      return series.isEmpty();
    }

    /** The chart. */
    public LineChart chart() {
      double width = xMax > 0 ? xMax : 1;
      Scale scale = Scale.upTo(measure, yMax);
      return new LineChart(
          title,
          subtitle,
          xUnit,
          width,
          scale,
          isSmall,
          group,
          List.copyOf(series),
          List.copyOf(markers));
    }
  }

  /** Whether it counts seconds, which its ticks then say. */
  boolean isTime() {
    return xUnit.equals("s");
  }

  /** The chart as a picture that needs no page around it. */
  public String svg() {
    return Picture.svg(this);
  }
}
