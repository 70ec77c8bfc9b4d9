package dev.arenal.lab.medium;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.ToDoubleFunction;

/**
 * The claimed effects of the refill by one thread, against figures: the statistics with which it
 * was proposed for ZGC (JDK-8339387), and what is wanted of them here.
 */
public final class MediumClaims {
  /** Two rates this near are the same: so much do runs of one variant differ. */
  static final double NOISE = 0.03;

  static final double REPORTED_PERCENTILE = 99.9;

  private static final double MIB = 1 << 20;
  private static final double NANOS_PER_MICRO = 1e3;

  private final MediumMeasurement measurement;

  private MediumClaims(MediumMeasurement measurement) {
    this.measurement = measurement;
  }

  /** All claims; none is reached or missed where a variant has no run. */
  public static List<Claim> of(MediumMeasurement measurement) {
    MediumClaims claims = new MediumClaims(measurement);
    return List.of(
        claims.undone(),
        claims.zero(
            "page cache flush, MB/s max", "380 -> 0", result -> result.flushed().max() / MIB),
        claims.zero("defragment, ops/s max", "190 -> 0", result -> result.defragmented().max()),
        claims.inflation(),
        claims.rate(),
        claims.latency());
  }

  /**
   * The highest second of pages, those that were undone included, over the highest one of buffers:
   * so a variant that is faster is not taken for one that takes more than it has use for. It may be
   * below one, since holes in pages are used again.
   */
  static double inflation(MediumMeasurement measurement, boolean isSynchronized) {
    return measurement.max(isSynchronized, result -> result.pages().max())
        / measurement.max(isSynchronized, result -> result.allocated().max());
  }

  /** The time in which all but a thousandth of medium buffers were there. */
  public static long reportedNanos(MediumMeasurement measurement, boolean isSynchronized) {
    return measurement.latencies(isSynchronized).getValueAtPercentile(REPORTED_PERCENTILE);
  }

  private Claim undone() {
    double without = measurement.max(false, result -> result.undone().max());
    double with = measurement.max(true, result -> result.undone().max());
    return verdict(
        "undo page allocation, ops/s max",
        "71 -> 8",
        "> 0 -> 0",
        amount(without) + " -> " + amount(with),
        without > 0 && with == 0);
  }

  private Claim zero(String what, String original, ToDoubleFunction<MediumResult> figure) {
    double without = measurement.max(false, figure);
    double with = measurement.max(true, figure);
    return verdict(what, original, "0", amount(without) + " -> " + amount(with), with == 0);
  }

  private Claim inflation() {
    double without = inflation(measurement, false);
    double with = inflation(measurement, true);
    return verdict(
        "pages taken over buffers, MB/s max",
        "2846 -> 1086",
        "not higher",
        Figures.format(
            "%.2fx -> %sx",
            without, Figures.judged(with, 2, ratio -> ratio <= (1 + NOISE) * without)),
        with <= (1 + NOISE) * without);
  }

  private Claim rate() {
    double without = measurement.mean(false, result -> result.allocated().average());
    double with = measurement.mean(true, result -> result.allocated().average());
    return verdict(
        "allocation rate, MB/s average",
        "-",
        "not lower",
        change(without / MIB, with / MIB, ratio -> ratio >= 1 - NOISE),
        with >= (1 - NOISE) * without);
  }

  private Claim latency() {
    long without = reportedNanos(measurement, false);
    long with = reportedNanos(measurement, true);
    return verdict(
        "99.9 % of medium buffers within, us",
        "-",
        "lower",
        change(without / NANOS_PER_MICRO, with / NANOS_PER_MICRO, ratio -> ratio < 1),
        with < without);
  }

  private Claim verdict(
      String what, String original, String wanted, String shown, boolean isReached) {
    if (!measurement.hasBoth()) {
      return new Claim(what, original, wanted, "", Outcome.NOT_MEASURED);
    }
    return new Claim(what, original, wanted, shown, isReached ? Outcome.REACHED : Outcome.MISSED);
  }

  /** A value below one must not look like zero. */
  private static String amount(double value) {
    return Figures.format(value > 0 && value < 1 ? "%.2f" : "%,.0f", value);
  }

  private static String change(double without, double with, DoublePredicate holds) {
    return Figures.format(
        "%,.0f -> %,.0f (%sx)", without, with, Figures.judged(with / without, 2, holds));
  }
}
