package dev.arenal.lab.medium;

import dev.arenal.lab.medium.MediumResult.Moment;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Results made up for tests: nothing in them was measured. */
public final class Results {
  private static final long MIB = 1 << 20;

  private Results() {}

  /** Two runs of each variant, as claimed: in the order in which a plan is run. */
  public static MediumMeasurement asClaimed() {
    return of(without(3), with(0), with(0), without(5));
  }

  /** Runs of two threads and one second. */
  public static MediumMeasurement of(MediumResult... results) {
    return new MediumMeasurement(plan(), List.of(results), List.of());
  }

  /** Their plan. */
  public static MediumPlan plan() {
    return new MediumPlan(2, 1, 256 * MIB);
  }

  /** A run that undoes pages, takes more than it has use for, and flushes and defragments. */
  static MediumResult without(long maxUndone) {
    return result(
        false,
        new MediumFigure(1000 * MIB, 1100 * MIB, 2000 * MIB),
        new MediumFigure(1300 * MIB, 1540 * MIB, 2600 * MIB),
        new MediumFigure(2.5, maxUndone, 5),
        new MediumFigure(1.5 * MIB, 3 * MIB, 3 * MIB),
        new MediumFigure(0.5, 1, 1),
        latencies(9_000_000));
  }

  /** A run that does not. */
  static MediumResult with(long maxUndone) {
    return result(
        true,
        new MediumFigure(1010 * MIB, 1090 * MIB, 2020 * MIB),
        new MediumFigure(1050 * MIB, 1100 * MIB, 2100 * MIB),
        new MediumFigure(maxUndone, maxUndone, maxUndone),
        new MediumFigure(0, 0, 0),
        new MediumFigure(0, 0, 0),
        latencies(3_000_000));
  }

  /** A run of two seconds and 4000 buffers. */
  static MediumResult result(
      boolean isSynchronized,
      MediumFigure allocated,
      MediumFigure pages,
      MediumFigure undone,
      MediumFigure flushed,
      MediumFigure defragmented,
      Histogram latencies) {
    return new MediumResult(
        isSynchronized,
        plan(),
        2.0,
        4000,
        allocated,
        pages,
        undone,
        flushed,
        defragmented,
        latencies,
        List.of(
            new Moment(0, 0),
            new Moment(0.1, 90 * MIB),
            new Moment(0.5, 500 * MIB),
            new Moment(2, 2000 * MIB)),
        "=== Memory Statistics ===\n  Memory: Allocation Rate <" + isSynchronized + ">");
  }

  /** 990 of a microsecond, seven of a hundred, and three of that many nanoseconds. */
  static Histogram latencies(long longestNanos) {
    Histogram histogram = Latencies.empty();
    for (int i = 0; i < 990; i++) {
      Latencies.add(histogram, 1_000);
    }
    for (int i = 0; i < 7; i++) {
      Latencies.add(histogram, 100_000);
    }
    for (int i = 0; i < 3; i++) {
      Latencies.add(histogram, longestNanos);
    }
    return histogram;
  }
}
