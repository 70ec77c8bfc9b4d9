package dev.arenal.lab.confined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims against figures made up here. */
final class ConfinedClaimsTest {
  private final List<JmhResult<ConfinedCell>> results = new ArrayList<>();

  @Test
  void everythingMeasured_isJudged() {
    pair(Shape.ONE, 5, false, 50, 5);
    pair(Shape.ONE, 20, false, 50, 5.1);
    pair(Shape.ONE, 64, false, 60, 4);
    pair(Shape.ONE, 100, false, 50, 16);
    pair(Shape.ONE, 500, false, 50, 17);
    pair(Shape.ONE, 2000, false, 100, 102);
    pair(Shape.ONE, 8000, false, 300, 312);
    pair(Shape.FOUR, 16, false, 150, 10);
    pair(Shape.NONE, 0, false, 0.4, 1.3);
    pair(Shape.ONE, 5, true, 40, 10);
    pair(Shape.ONE, 20, true, 39, 10);
    // Of neither kind: not a claim.
    pair(Shape.STRLEN, 5, false, 1, 100);

    assertThat(ConfinedClaims.of(results))
        .containsExactly(
            new Claim("5 bytes", "6.8x", ">= 10x", "10.0x", Outcome.REACHED),
            new Claim("20 bytes", "7.8x", ">= 10x", "9.8x", Outcome.MISSED),
            new Claim(
                "mean of 3 sizes, 0 to 64 bytes",
                "12.7x (macOS, M1)",
                ">= 10x",
                "11.3x",
                Outcome.REACHED),
            new Claim("100 bytes", "parity", ">= 3x", "3.1x", Outcome.REACHED),
            new Claim("500 bytes", "parity", ">= 3x", "2.9x", Outcome.MISSED),
            new Claim("2,000 bytes", "parity", "never slower", "1.0x", Outcome.REACHED),
            new Claim("8,000 bytes", "parity", "never slower", "0.96x", Outcome.MISSED),
            new Claim(
                "four allocations of 16 bytes",
                "\"even more pronounced\"",
                ">= 10x, 0 B/op",
                "15.0x, 0 B/op",
                Outcome.REACHED),
            new Claim("no allocation at all", "-", "within 1 ns", "+0.90 ns", Outcome.REACHED),
            new Claim("virtual thread, 5 bytes", "several times", ">= 4x", "4.0x", Outcome.REACHED),
            new Claim(
                "virtual thread, 20 bytes", "several times", ">= 4x", "3.9x", Outcome.MISSED));
  }

  @Test
  void nothingMeasured_isSaid() {
    assertThat(ConfinedClaims.of(List.of()))
        .hasSize(11)
        .allSatisfy(verdict -> {
          assertThat(verdict.outcome()).isEqualTo(Outcome.NOT_MEASURED);
          assertThat(verdict.shown()).isEmpty();
        });
    // One of two is none.
    results.add(result(Shape.ONE, 5, false, Factory.JDK, 50, 0.0));
    assertThat(ConfinedClaims.of(results).getFirst().outcome()).isEqualTo(Outcome.NOT_MEASURED);
  }

  @Test
  void fourAllocationsWithObjectsOnTheHeap_areNotEnough() {
    results.add(result(Shape.FOUR, 16, false, Factory.JDK, 150, 192.0));
    results.add(result(Shape.FOUR, 16, false, Factory.POOLED, 10, 40.0));
    assertThat(four().shown()).isEqualTo("15.0x, 40 B/op");
    assertThat(four().outcome()).isEqualTo(Outcome.MISSED);

    results.set(1, result(Shape.FOUR, 16, false, Factory.POOLED, 10, null));
    assertThat(four().shown()).isEqualTo("15.0x, ? B/op");
    assertThat(four().outcome()).isEqualTo(Outcome.MISSED);
  }

  @Test
  void emptyArenaThatCostsMore_isNotWithinOne() {
    pair(Shape.NONE, 0, false, 0.4, 1.5);
    assertThat(ConfinedClaims.of(results))
        .filteredOn(verdict -> verdict.what().equals("no allocation at all"))
        .containsExactly(
            new Claim("no allocation at all", "-", "within 1 ns", "+1.10 ns", Outcome.MISSED));
  }

  /** A size that only one of the two has would shift the mean. */
  @Test
  void mean_isOfSizesThatBothHave() {
    pair(Shape.ONE, 5, false, 40, 4);
    pair(Shape.ONE, 64, false, 60, 6);
    pair(Shape.ONE, 100, false, 1000, 1000);
    results.add(result(Shape.ONE, 7, false, Factory.POOLED, 1000, 0.0));
    assertThat(ConfinedClaims.meanSizeCount(results)).isEqualTo(2);
    assertThat(ConfinedClaims.meanNanos(results, Factory.JDK).orElseThrow())
        .isCloseTo(50, within(1e-9));
    assertThat(ConfinedClaims.meanNanos(results, Factory.POOLED).orElseThrow())
        .isCloseTo(5, within(1e-9));
  }

  private Claim four() {
    return ConfinedClaims.of(results).stream()
        .filter(verdict -> verdict.what().startsWith("four"))
        .findFirst()
        .orElseThrow();
  }

  private void pair(Shape shape, int sizeBytes, boolean isVirtual, double jdk, double pooled) {
    results.add(result(shape, sizeBytes, isVirtual, Factory.JDK, jdk, 0.0));
    results.add(result(shape, sizeBytes, isVirtual, Factory.POOLED, pooled, 0.0));
  }

  private static JmhResult<ConfinedCell> result(
      Shape shape,
      int sizeBytes,
      boolean isVirtual,
      Factory factory,
      double nanos,
      @Nullable Double bytes) {
    return new JmhResult<>(
        new ConfinedCell(shape, sizeBytes, isVirtual, factory), nanos, 0.1, bytes);
  }
}
