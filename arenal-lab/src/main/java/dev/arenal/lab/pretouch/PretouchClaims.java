package dev.arenal.lab.pretouch;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The claims about a pretouch, against the figures of the largest size. */
public final class PretouchClaims {
  private static final double LEAST_SMALL_PAGES = 1.5;
  private static final double LEAST_HUGE_PAGES = 4;
  private static final double LEAST_OF_HUGE_PAGES = 1;
  private static final double LEAST_OF_KERNEL = 0.9;
  private static final double MOST_REFUSAL_MILLIS = 50;
  private static final String SMALL_PAGES = "4 KiB pages, all threads";
  private static final String HUGE_PAGES = "huge pages, all threads";

  private PretouchClaims() {}

  /** Those that there are figures for. */
  public static List<Claim> of(PretouchMeasurement measurement) {
    Optional<PretouchResult> small = fastest(measurement, Kind.ARENAL, false);
    Optional<PretouchResult> huge = fastest(measurement, Kind.ARENAL, true);
    Optional<PretouchResult> g1 = g1(measurement, false);
    Optional<PretouchResult> hugeG1 = g1(measurement, true);
    Optional<PretouchResult> kernel = fastest(measurement, Kind.KERNEL, false);
    return Stream.of(
            faster(SMALL_PAGES, "G1", small, g1, LEAST_SMALL_PAGES),
            faster(HUGE_PAGES, "G1 with small pages", huge, g1, LEAST_HUGE_PAGES),
            faster(HUGE_PAGES, "G1 with huge pages", huge, hugeG1, LEAST_OF_HUGE_PAGES),
            faster(SMALL_PAGES, "a loop in C", small, kernel, LEAST_OF_KERNEL),
            refused(measurement.refusal()))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * G1 with AlwaysPreTouch; of several JVMs, the one to whose start it adds the least time. Without
   * a start to compare it with there is none.
   */
  public static Optional<PretouchResult> g1(PretouchMeasurement measurement, boolean hugePages) {
    return measurement.of(measurement.largestBytes()).stream()
        .filter(result -> result.subject().collector() == Collector.G1)
        .filter(result -> result.subject().hugePages() == hugePages)
        .filter(result -> result.touchSeconds() != null)
        .min(Comparator.comparingDouble(PretouchClaims::seconds));
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

  private static Optional<Claim> faster(
      String what,
      String rival,
      Optional<PretouchResult> ours,
      Optional<PretouchResult> theirs,
      double least) {
    if (ours.isEmpty() || theirs.isEmpty()) {
      return Optional.empty();
    }
    double seconds = seconds(ours.get());
    double theirSeconds = seconds(theirs.get());
    double ratio = theirSeconds / seconds;
    return Optional.of(
        new Claim(
            what + ", against " + rival,
            "",
            Figures.format(">= %.1fx", least),
            "%sx (%s, %s)"
                .formatted(
                    Figures.judged(ratio, 2, shown -> shown >= least),
                    shown(ours.get()),
                    shown(theirs.get())),
            ours.get().isWithinError(least, theirs.get())
                ? Outcome.WITHIN_ERROR
                : ratio >= least ? Outcome.REACHED : Outcome.MISSED));
  }

  private static String shown(PretouchResult result) {
    Double error = result.touchErrorSeconds();
    return error == null
        ? Figures.format("%.2f s", seconds(result))
        : Figures.format("%.2f ± %.2f s", seconds(result), error);
  }

  private static double seconds(PretouchResult result) {
    return Objects.requireNonNull(result.touchSeconds());
  }

  private static Optional<Claim> refused(@Nullable Refusal refusal) {
    if (refusal == null) {
      return Optional.empty();
    }
    String shown =
        refusal.message().isEmpty()
            ? "not refused"
            : !refusal.isRefused()
                ? "processes ended by the kernel: " + refusal.killedCount()
                : Figures.judged(refusal.millis(), 1, millis -> millis < MOST_REFUSAL_MILLIS)
                    + " ms";
    return Optional.of(
        new Claim(
            "more than there is, refused",
            "< 50 ms",
            shown,
            refusal.isRefused() && refusal.millis() < MOST_REFUSAL_MILLIS));
  }
}
