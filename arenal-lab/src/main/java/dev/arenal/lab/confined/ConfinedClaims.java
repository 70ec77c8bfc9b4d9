package dev.arenal.lab.confined;

import dev.arenal.lab.figure.Comparison;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The claims about the pool against the JDK's confined arena, checked against figures. */
public final class ConfinedClaims {
  private static final int LARGEST_SMALL_BYTES = 64;

  /** Two runs of the same code differ by that. */
  private static final double NOISE = 0.03;

  private static final double MOST_EXTRA_NANOS = 1;

  /** JMH sees some bytes of its own. */
  private static final double NO_BYTES = 0.5;

  private static final int BLOCK_BYTES = 16;

  private ConfinedClaims() {}

  /** All claims, each with what these results say of it. */
  public static List<Claim> of(List<JmhResult<ConfinedCell>> results) {
    List<Claim> claims = new ArrayList<>();
    claims.add(atLeast("5 bytes", "6.8x", 10, comparison(results, Shape.ONE, 5, false)));
    claims.add(atLeast("20 bytes", "7.8x", 10, comparison(results, Shape.ONE, 20, false)));
    claims.add(mean(results));
    for (int sizeBytes : new int[] {100, 500}) {
      claims.add(
          atLeast(
              sizeBytes + " bytes", "parity", 3, comparison(results, Shape.ONE, sizeBytes, false)));
    }
    for (int sizeBytes : new int[] {2000, 8000}) {
      claims.add(notSlower(results, sizeBytes));
    }
    claims.add(four(results));
    claims.add(none(results));
    for (int sizeBytes : new int[] {5, 20}) {
      claims.add(
          atLeast(
              "virtual thread, %d bytes".formatted(sizeBytes),
              "several times",
              4,
              comparison(results, Shape.ONE, sizeBytes, true)));
    }
    return claims;
  }

  private static Claim mean(List<JmhResult<ConfinedCell>> results) {
    int count = meanSizeCount(results);
    String what = "mean of %d %s, 0 to 64 bytes".formatted(count, count == 1 ? "size" : "sizes");
    return atLeast(what, "12.7x (macOS, M1)", 10, comparisonOfMeans(results));
  }

  private static Claim notSlower(List<JmhResult<ConfinedCell>> results, int sizeBytes) {
    Optional<Comparison> ratio = comparison(results, Shape.ONE, sizeBytes, false);
    double least = 1 - NOISE;
    return new Claim(
        Figures.format("%,d bytes", sizeBytes),
        "parity",
        "never slower",
        shown(ratio, least),
        outcome(ratio, jdk -> jdk.isWithinError() || jdk.value() / jdk.base() >= least));
  }

  private static Claim four(List<JmhResult<ConfinedCell>> results) {
    Optional<Comparison> ratio = comparison(results, Shape.FOUR, BLOCK_BYTES, false);
    Double bytes =
        find(results, Shape.FOUR, BLOCK_BYTES, false, Factory.POOLED)
            .map(JmhResult::bytesPerOperation)
            .orElse(null);
    boolean hasNoBytes = bytes != null && bytes < NO_BYTES;
    String shown = shown(ratio, 10);
    if (!shown.isEmpty()) {
      String read = bytes == null ? "?" : Figures.judged(bytes, 0, most -> most < NO_BYTES);
      shown += ", " + read + " B/op";
    }
    return new Claim(
        "four allocations of 16 bytes",
        "\"even more pronounced\"",
        ">= 10x, 0 B/op",
        shown,
        outcome(ratio, jdk -> isAtLeast(jdk, 10) && hasNoBytes));
  }

  private static Claim none(List<JmhResult<ConfinedCell>> results) {
    Optional<Double> extra =
        comparison(results, Shape.NONE, 0, false).map(jdk -> jdk.base() - jdk.value());
    return new Claim(
        "no allocation at all",
        "-",
        "within 1 ns",
        extra.map(ConfinedClaims::shownExtra).orElse(""),
        outcome(extra, nanos -> nanos <= MOST_EXTRA_NANOS));
  }

  private static Claim atLeast(
      String what, String original, int least, Optional<Comparison> comparison) {
    return new Claim(
        what,
        original,
        ">= %dx".formatted(least),
        shown(comparison, least),
        outcome(comparison, jdk -> isAtLeast(jdk, least)));
  }

  private static boolean isAtLeast(Comparison jdk, int least) {
    return !jdk.isWithinError() && jdk.value() / jdk.base() >= least;
  }

  private static String shown(Optional<Comparison> comparison, double least) {
    return comparison
        .map(jdk -> {
          double ratio = jdk.value() / jdk.base();
          return jdk.times("%." + Figures.digits(ratio, 1, shown -> shown >= least) + "fx");
        })
        .orElse("");
  }

  private static String shownExtra(double nanos) {
    String shown = Figures.judged(nanos, 2, most -> most <= MOST_EXTRA_NANOS);
    return (shown.startsWith("-") ? "" : "+") + shown + " ns";
  }

  private static <T> Outcome outcome(Optional<T> value, Predicate<T> isReached) {
    return value
        .map(there -> isReached.test(there) ? Outcome.REACHED : Outcome.MISSED)
        .orElse(Outcome.NOT_MEASURED);
  }

  /** The JDK's arena against ours, with the errors of both; empty if one was not measured. */
  public static Optional<Comparison> comparison(
      List<JmhResult<ConfinedCell>> results, Shape shape, int sizeBytes, boolean isVirtual) {
    Optional<JmhResult<ConfinedCell>> pooled =
        find(results, shape, sizeBytes, isVirtual, Factory.POOLED);
    return find(results, shape, sizeBytes, isVirtual, Factory.JDK)
        .flatMap(jdk ->
            pooled.map(ours ->
                new Comparison(
                    jdk.nanosPerOperation(),
                    jdk.errorNanos(),
                    ours.nanosPerOperation(),
                    ours.errorNanos())));
  }

  /** The same of the mean over sizes from 0 to 64; its error is the mean of theirs. */
  public static Optional<Comparison> comparisonOfMeans(List<JmhResult<ConfinedCell>> results) {
    OptionalDouble jdk = meanNanos(results, Factory.JDK);
    OptionalDouble pooled = meanNanos(results, Factory.POOLED);
    return jdk.isEmpty() || pooled.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Comparison(
                jdk.getAsDouble(),
                meanError(results, Factory.JDK),
                pooled.getAsDouble(),
                meanError(results, Factory.POOLED)));
  }

  /** The mean over sizes from 0 to 64 for one factory: of those that both were measured with. */
  public static OptionalDouble meanNanos(List<JmhResult<ConfinedCell>> results, Factory factory) {
    return ofMean(results, factory).mapToDouble(JmhResult::nanosPerOperation).average();
  }

  /** NaN if the error of one size is not known. */
  private static double meanError(List<JmhResult<ConfinedCell>> results, Factory factory) {
    return ofMean(results, factory)
        .mapToDouble(result -> Objects.requireNonNullElse(result.errorNanos(), Double.NaN))
        .average()
        .orElse(Double.NaN);
  }

  /** The sizes that the mean is made of. */
  public static int meanSizeCount(List<JmhResult<ConfinedCell>> results) {
    return (int) ofMean(results, Factory.JDK).count();
  }

  /** The results of one factory for each size up to 64 that both were measured with. */
  private static Stream<JmhResult<ConfinedCell>> ofMean(
      List<JmhResult<ConfinedCell>> results, Factory factory) {
    return IntStream.rangeClosed(0, LARGEST_SMALL_BYTES)
        .filter(size -> comparison(results, Shape.ONE, size, false).isPresent())
        .mapToObj(size -> find(results, Shape.ONE, size, false, factory))
        .flatMap(Optional::stream);
  }

  private static Optional<JmhResult<ConfinedCell>> find(
      List<JmhResult<ConfinedCell>> results,
      Shape shape,
      int sizeBytes,
      boolean isVirtual,
      Factory factory) {
    ConfinedCell cell = new ConfinedCell(shape, sizeBytes, isVirtual, factory);
    return results.stream().filter(result -> result.cell().equals(cell)).findFirst();
  }
}
