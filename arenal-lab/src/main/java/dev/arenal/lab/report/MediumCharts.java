package dev.arenal.lab.report;

import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumResult;
import dev.arenal.lab.medium.MediumResult.Moment;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The allocations of the threads over time, and their waits. */
final class MediumCharts {
  /** A rate over less than that shows the scheduler. */
  private static final double LEAST_SECONDS = 0.2;

  private static final int MOST_POINTS = 60;
  private static final int NINE_COUNT = 4;
  private static final int STEPS_PER_NINE = 10;
  private static final double WHOLE = 100;

  private MediumCharts() {}

  static List<Part> of(MediumMeasurement measurement) {
    return List.of(rates(measurement), latencies(measurement));
  }

  private static LineChart rates(MediumMeasurement measurement) {
    LineChart.Builder chart =
        LineChart.of("Allocated in a second")
            .subtitle("all threads, with and without synchronized refill");
    for (boolean isSynchronized : new boolean[] {false, true}) {
      List<MediumResult> runs = measurement.of(isSynchronized);
      for (int i = 0; i < runs.size(); i++) {
        List<double[]> points = rates(runs.get(i).timeline());
        chart.series(
            "run %d, %s"
                .formatted(
                    measurement.results().indexOf(runs.get(i)) + 1,
                    isSynchronized ? "with" : "without"),
            i == 0 ? style(isSynchronized) : style(isSynchronized).dashed(),
            points,
            point -> point[0],
            point -> point[1]);
      }
    }
    return chart.chart();
  }

  /** Bytes per second between moments that are far enough apart, at the end of each. */
  static List<double[]> rates(List<Moment> timeline) {
    List<double[]> points = new ArrayList<>();
    double least = Math.max(LEAST_SECONDS, timeline.getLast().seconds() / MOST_POINTS);
    Moment last = timeline.getFirst();
    for (Moment moment : timeline) {
      double seconds = moment.seconds() - last.seconds();
      if (seconds >= least) {
        points.add(
            new double[] {
              moment.seconds(), (moment.allocatedBytes() - last.allocatedBytes()) / seconds
            });
        last = moment;
      }
    }
    return points;
  }

  private static LineChart latencies(MediumMeasurement measurement) {
    LineChart.Builder chart =
        LineChart.of("Until a medium buffer is there")
            .subtitle("by nines: 2 is 99 %, 3 is 99.9 % of them")
            .nanos()
            .xAxis("nines");
    for (boolean isSynchronized : new boolean[] {false, true}) {
      Histogram histogram = measurement.latencies(isSynchronized);
      if (histogram.getTotalCount() > 0) {
        int count = NINE_COUNT * STEPS_PER_NINE + 1;
        double[] nines = new double[count];
        double[] nanos = new double[count];
        for (int i = 0; i < count; i++) {
          nines[i] = (double) i / STEPS_PER_NINE;
          nanos[i] = histogram.getValueAtPercentile(WHOLE - WHOLE * Math.pow(10, -nines[i]));
        }
        chart.series(MediumResult.variant(isSynchronized), style(isSynchronized), nines, nanos);
      }
    }
    return chart.chart();
  }

  /** Arenal as it is has its usual colour. */
  private static SeriesStyle style(boolean isSynchronized) {
    return isSynchronized ? SeriesStyle.ONE : SeriesStyle.TWO;
  }
}
