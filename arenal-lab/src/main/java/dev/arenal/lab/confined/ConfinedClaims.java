package dev.arenal.lab.confined;

import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** What is claimed of the pool against the JDK's confined arena, held against figures. */
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

  /** How many times as long the JDK's arena takes; empty if one of the two was not measured. */
  public static OptionalDouble ratio(
      List<JmhResult<ConfinedCell>> results, Shape shape, int sizeBytes, boolean isVirtual) {
    return new ConfinedClaims(results).ratio(shape, sizeBytes, isVirtual);
  }

  /** The mean over sizes from 0 to 64 for one factory: of those that both were measured with. */
  public static OptionalDouble meanNanos(List<JmhResult<ConfinedCell>> results, Factory factory) {
    return new ConfinedClaims(results).mean(factory);
  }

  /** The sizes that the mean is made of. */
  public static int countSizesOfMean(List<JmhResult<ConfinedCell>> results) {
    return new ConfinedClaims(results).sizesOfMean().size();
  }

  private List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    claims.add(atLeast("5 bytes", "6.8x", 10, ratio(Shape.ONE, 5, false)));
    claims.add(atLeast("20 bytes", "7.8x", 10, ratio(Shape.ONE, 20, false)));
    claims.add(mean());
    for (int sizeBytes : new int[] {100, 500}) {
      claims.add(atLeast(sizeBytes + " bytes", "parity", 3, ratio(Shape.ONE, sizeBytes, false)));
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
              ratio(Shape.ONE, sizeBytes, true)));
    }
    return claims;
  }

  private Claim mean() {
    OptionalDouble jdk = mean(Factory.JDK);
    OptionalDouble pooled = mean(Factory.POOLED);
    OptionalDouble ratio =
        jdk.isEmpty() || pooled.isEmpty()
            ? OptionalDouble.empty()
            : OptionalDouble.of(jdk.getAsDouble() / pooled.getAsDouble());
    String what = "mean of %d sizes, 0 to 64 bytes".formatted(sizesOfMean().size());
    return atLeast(what, "12.7x (macOS, M1)", 10, ratio);
  }

  private Claim notSlower(int sizeBytes) {
    OptionalDouble ratio = ratio(Shape.ONE, sizeBytes, false);
    return new Claim(
        String.format(Locale.ROOT, "%,d bytes", sizeBytes),
        "parity",
        "never slower",
        shown(ratio),
        outcome(ratio, value -> value >= 1 - NOISE));
  }

  private Claim four() {
    OptionalDouble ratio = ratio(Shape.FOUR, BLOCK_BYTES, false);
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
        outcome(ratio, value -> value >= 10 && hasNoBytes));
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
        outcome(extra, value -> value <= MOST_EXTRA_NANOS));
  }

  private static Claim atLeast(String what, String original, int least, OptionalDouble ratio) {
    return new Claim(
        what,
        original,
        ">= %dx".formatted(least),
        shown(ratio),
        outcome(ratio, value -> value >= least));
  }

  private static String shown(OptionalDouble ratio) {
    return ratio.isEmpty() ? "" : String.format(Locale.ROOT, "%.1fx", ratio.getAsDouble());
  }

  private static Outcome outcome(OptionalDouble value, Predicate<Double> isReached) {
    if (value.isEmpty()) {
      return Outcome.NOT_MEASURED;
    }
    return isReached.test(value.getAsDouble()) ? Outcome.REACHED : Outcome.MISSED;
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
