package dev.arenal.lab.pretouch;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.result.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** The claims about a pretouch, against the figures of the largest size. */
public final class PretouchClaims {
  private static final double LEAST_SMALL_PAGES = 1.5;
  private static final double LEAST_HUGE_PAGES = 4;
  private static final double LEAST_OF_HUGE_PAGES = 1;
  private static final double LEAST_OF_KERNEL = 0.9;
  private static final double MOST_REFUSAL_MILLIS = 50;
  private static final String HUGE_PAGES = "huge pages, all threads";

  private final PretouchMeasurement measurement;
  private final List<Claim> claims = new ArrayList<>();

  private PretouchClaims(PretouchMeasurement measurement) {
    this.measurement = measurement;
  }

  /** Those that there are figures for. */
  public static List<Claim> of(PretouchMeasurement measurement) {
    PretouchClaims claims = new PretouchClaims(measurement);
    claims.compare();
    claims.refusal();
    return List.copyOf(claims.claims);
  }

  /**
   * The time that AlwaysPreTouch adds to the start with G1; of several JVMs, that of the fastest.
   */
  public static OptionalDouble g1Seconds(PretouchMeasurement measurement, boolean hugePages) {
    return measurement.of(measurement.largestBytes()).stream()
        .filter(result -> result.subject().collector() == Collector.G1)
        .filter(result -> result.subject().hugePages() == hugePages)
        .map(PretouchResult::touchSeconds)
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .min();
  }

  /** By all threads, at the largest size. */
  public static Optional<PretouchResult> fastest(
      PretouchMeasurement measurement, Kind kind, boolean hugePages) {
    int threadCount = measurement.plan().threadCount();
    PretouchSubject subject =
        kind == Kind.ARENAL
            ? PretouchSubject.arenal(Method.POPULATE, hugePages, threadCount)
            : PretouchSubject.kernel(Method.POPULATE, hugePages, threadCount);
    return measurement.find(subject, measurement.largestBytes());
  }

  private void compare() {
    Optional<PretouchResult> small = fastest(measurement, Kind.ARENAL, false);
    Optional<PretouchResult> huge = fastest(measurement, Kind.ARENAL, true);
    OptionalDouble g1 = g1Seconds(measurement, false);
    if (g1.isPresent()) {
      double seconds = g1.getAsDouble();
      small.ifPresent(
          result -> faster("4 KiB pages, all threads", "G1", result, seconds, LEAST_SMALL_PAGES));
      huge.ifPresent(
          result -> faster(HUGE_PAGES, "G1 with small pages", result, seconds, LEAST_HUGE_PAGES));
    }
    OptionalDouble hugeG1 = g1Seconds(measurement, true);
    if (hugeG1.isPresent()) {
      huge.ifPresent(result ->
          faster(
              HUGE_PAGES, "G1 with huge pages", result, hugeG1.getAsDouble(), LEAST_OF_HUGE_PAGES));
    }
    fastest(measurement, Kind.KERNEL, false)
        .ifPresent(kernel ->
            small.ifPresent(result ->
                faster(
                    "4 KiB pages, all threads",
                    "a loop in C",
                    result,
                    kernel.wallSeconds(),
                    LEAST_OF_KERNEL)));
  }

  private void faster(
      String what, String rival, PretouchResult result, double rivalSeconds, double least) {
    double ratio = rivalSeconds / result.wallSeconds();
    claims.add(
        new Claim(
            what + ", against " + rival,
            Figures.format(">= %.1fx", least),
            Figures.format("%.2fx (%.2f s, %.2f s)", ratio, result.wallSeconds(), rivalSeconds),
            ratio >= least));
  }

  private void refusal() {
    Refusal refusal = measurement.refusal();
    if (refusal == null) {
      return;
    }
    String shown =
        refusal.message().isEmpty()
            ? "not refused"
            : !refusal.isRefused()
                ? "processes ended by the kernel: " + refusal.killedCount()
                : Figures.format("%.1f ms", refusal.millis());
    claims.add(
        new Claim(
            "more than there is, refused",
            "< 50 ms",
            shown,
            refusal.isRefused() && refusal.millis() < MOST_REFUSAL_MILLIS));
  }
}
