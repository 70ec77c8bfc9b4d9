package dev.arenal.lab.confined;

import dev.arenal.lab.figure.Comparison;
import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** The claims about the pool against the JDK's confined arena, checked against figures. */
public final class ConfinedClaims {
  private static final int LARGEST_SMALL_BYTES = 64;

  /** Two runs of the same code differ by that. */
  private static final double NOISE = 0.03;

  private static final double MOST_EXTRA_NANOS = 1;

  /** JMH sees some bytes of its own. */
  private static final double NO_BYTES = 0.5;

  private static final int BLOCK_BYTES = 16;

  private final List<JmhResult<ConfinedCell>> results;

  private ConfinedClaims(List<JmhResult<ConfinedCell>> results) {
    this.results = results;
  }

  /** All claims, each with what these results say of it. */
  public static List<Claim> of(List<JmhResult<ConfinedCell>> results) {
    return new ConfinedClaims(results).claims();
  }

  /** The JDK's arena against ours, with the errors of both; empty if one was not measured. */
  public static Optional<Comparison> comparison(
      List<JmhResult<ConfinedCell>> results, Shape shape, int sizeBytes, boolean isVirtual) {
    return new ConfinedClaims(results).comparison(shape, sizeBytes, isVirtual);
  }

  /** The same of the mean over sizes from 0 to 64; its error is the mean of theirs. */
  public static Optional<Comparison> comparisonOfMeans(List<JmhResult<ConfinedCell>> results) {
    return new ConfinedClaims(results).comparisonOfMeans();
  }

  /** The mean over sizes from 0 to 64 for one factory: of those that both were measured with. */
  public static OptionalDouble meanNanos(List<JmhResult<ConfinedCell>> results, Factory factory) {
    return new ConfinedClaims(results).mean(factory);
  }

  /** The sizes that the mean is made of. */
  public static int meanSizeCount(List<JmhResult<ConfinedCell>> results) {
    return new ConfinedClaims(results).sizesOfMean().size();
  }

  private List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    claims.add(atLeast("5 bytes", "6.8x", 10, comparison(Shape.ONE, 5, false)));
    claims.add(atLeast("20 bytes", "7.8x", 10, comparison(Shape.ONE, 20, false)));
    claims.add(mean());
    for (int sizeBytes : new int[] {100, 500}) {
      claims.add(
          atLeast(sizeBytes + " bytes", "parity", 3, comparison(Shape.ONE, sizeBytes, false)));
    }
    for (int sizeBytes : new int[] {2000, 8000}) {
      claims.add(notSlower(sizeBytes));
    }
    claims.add(four());
    claims.add(none());
    for (int sizeBytes : new int[] {5, 20}) {
      claims.add(
          atLeast(
              "virtual thread, %d bytes".formatted(sizeBytes),
              "several times",
              4,
              comparison(Shape.ONE, sizeBytes, true)));
    }
    return claims;
  }

  private Claim mean() {
    int count = sizesOfMean().size();
    String what = "mean of %d %s, 0 to 64 bytes".formatted(count, count == 1 ? "size" : "sizes");
    return atLeast(what, "12.7x (macOS, M1)", 10, comparisonOfMeans());
  }

  private Claim notSlower(int sizeBytes) {
    Optional<Comparison> ratio = comparison(Shape.ONE, sizeBytes, false);
    return new Claim(
        String.format(Locale.ROOT, "%,d bytes", sizeBytes),
        "parity",
        "never slower",
        shown(ratio),
        outcome(ratio, jdk -> jdk.isWithinError() || jdk.value() / jdk.base() >= 1 - NOISE));
  }

  private Claim four() {
    Optional<Comparison> ratio = comparison(Shape.FOUR, BLOCK_BYTES, false);
    Double bytes =
        find(Shape.FOUR, BLOCK_BYTES, false, Factory.POOLED)
            .map(JmhResult::bytesPerOperation)
            .orElse(null);
    boolean hasNoBytes = bytes != null && bytes < NO_BYTES;
    String shown = shown(ratio);
    if (!shown.isEmpty()) {
      shown += bytes == null ? ", ? B/op" : String.format(Locale.ROOT, ", %.0f B/op", bytes);
    }
    return new Claim(
        "four allocations of 16 bytes",
        "\"even more pronounced\"",
        ">= 10x, 0 B/op",
        shown,
        outcome(ratio, jdk -> isAtLeast(jdk, 10) && hasNoBytes));
  }

  private Claim none() {
    Optional<JmhResult<ConfinedCell>> jdk = find(Shape.NONE, 0, false, Factory.JDK);
    Optional<JmhResult<ConfinedCell>> pooled = find(Shape.NONE, 0, false, Factory.POOLED);
    OptionalDouble extra =
        jdk.isEmpty() || pooled.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(pooled.get().nanosPerOperation() - jdk.get().nanosPerOperation());
    return new Claim(
        "no allocation at all",
        "-",
        "within 1 ns",
        extra.isEmpty() ? "" : String.format(Locale.ROOT, "%+.2f ns", extra.getAsDouble()),
        outcome(
            extra.isEmpty() ? Optional.empty() : Optional.of(extra.getAsDouble()),
            nanos -> nanos <= MOST_EXTRA_NANOS));
  }

  private static Claim atLeast(
      String what, String original, int least, Optional<Comparison> comparison) {
    return new Claim(
        what,
        original,
        ">= %dx".formatted(least),
        shown(comparison),
        outcome(comparison, jdk -> isAtLeast(jdk, least)));
  }

  private static boolean isAtLeast(Comparison jdk, int least) {
    return !jdk.isWithinError() && jdk.value() / jdk.base() >= least;
  }

  private static String shown(Optional<Comparison> comparison) {
    return comparison.map(jdk -> jdk.times("%.1fx")).orElse("");
  }

  private static <T> Outcome outcome(Optional<T> value, Predicate<T> isReached) {
    return value
        .map(there -> isReached.test(there) ? Outcome.REACHED : Outcome.MISSED)
        .orElse(Outcome.NOT_MEASURED);
  }

  private Optional<Comparison> comparison(Shape shape, int sizeBytes, boolean isVirtual) {
    Optional<JmhResult<ConfinedCell>> pooled = find(shape, sizeBytes, isVirtual, Factory.POOLED);
    return find(shape, sizeBytes, isVirtual, Factory.JDK)
        .flatMap(jdk ->
            pooled.map(ours ->
                new Comparison(
                    jdk.nanosPerOperation(),
                    jdk.errorNanos(),
                    ours.nanosPerOperation(),
                    ours.errorNanos())));
  }

  private Optional<Comparison> comparisonOfMeans() {
    OptionalDouble jdk = mean(Factory.JDK);
    OptionalDouble pooled = mean(Factory.POOLED);
    return jdk.isEmpty() || pooled.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Comparison(
                jdk.getAsDouble(),
                meanError(Factory.JDK),
                pooled.getAsDouble(),
                meanError(Factory.POOLED)));
  }

  /** NaN if the error of one size is not known. */
  private double meanError(Factory factory) {
    return sizesOfMean().stream()
        .map(sizeBytes -> find(Shape.ONE, sizeBytes, false, factory))
        .flatMap(Optional::stream)
        .mapToDouble(result -> Objects.requireNonNullElse(result.errorNanos(), Double.NaN))
        .average()
        .orElse(Double.NaN);
  }

  private OptionalDouble ratio(Shape shape, int sizeBytes, boolean isVirtual) {
    Optional<JmhResult<ConfinedCell>> jdk = find(shape, sizeBytes, isVirtual, Factory.JDK);
    Optional<JmhResult<ConfinedCell>> pooled = find(shape, sizeBytes, isVirtual, Factory.POOLED);
    return jdk.isEmpty() || pooled.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(jdk.get().nanosPerOperation() / pooled.get().nanosPerOperation());
  }

  private OptionalDouble mean(Factory factory) {
    return sizesOfMean().stream()
        .map(sizeBytes -> find(Shape.ONE, sizeBytes, false, factory))
        .flatMap(Optional::stream)
        .mapToDouble(JmhResult::nanosPerOperation)
        .average();
  }

  private List<Integer> sizesOfMean() {
    List<Integer> sizes = new ArrayList<>();
    for (int sizeBytes = 0; sizeBytes <= LARGEST_SMALL_BYTES; sizeBytes++) {
      if (ratio(Shape.ONE, sizeBytes, false).isPresent()) {
        sizes.add(sizeBytes);
      }
    }
    return sizes;
  }

  private Optional<JmhResult<ConfinedCell>> find(
      Shape shape, int sizeBytes, boolean isVirtual, Factory factory) {
    ConfinedCell cell = new ConfinedCell(shape, sizeBytes, isVirtual, factory);
    return results.stream().filter(result -> result.cell().equals(cell)).findFirst();
  }
}
