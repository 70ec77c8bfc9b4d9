package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.figure.Html;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The report of confined arenas: JSON, tables, sentences and curves of figures made up here. */
final class ConfinedSectionTest {
  /** A measurement with everything there can be in one. */
  static JmhMeasurement<ConfinedCell> sample() {
    List<JmhResult<ConfinedCell>> results = new ArrayList<>();
    for (int sizeBytes : new int[] {0, 5, 20, 64, 100, 500, 2000, 8000}) {
      double zeroing = sizeBytes / 60.0;
      results.add(result(Shape.ONE, sizeBytes, false, Factory.JDK, 48 + zeroing, 0.4, 0.0));
      results.add(result(Shape.ONE, sizeBytes, false, Factory.POOLED, 4.2 + zeroing, 0.1, 0.0));
      results.add(result(Shape.ONE, sizeBytes, false, Factory.LWJGL, 6 + zeroing, 0.2, 0.0));
    }
    results.add(result(Shape.FOUR, 16, false, Factory.JDK, 176, null, 192.0));
    results.add(result(Shape.FOUR, 16, false, Factory.POOLED, 11.5, 0.2, 0.0));
    results.add(result(Shape.NONE, 0, false, Factory.JDK, 0.35, 0.01, 0.0));
    results.add(result(Shape.ONE, 20, true, Factory.POOLED, 11, 0.2, null));
    return new JmhMeasurement<>(results, List.of("fork failed: shape=one"));
  }

  @Test
  void json_hasExactlyThePromisedShape() {
    List<JmhResult<ConfinedCell>> results =
        List.of(
            result(Shape.ONE, 5, false, Factory.JDK, 48.12345, 0.4567, 0.0004),
            result(Shape.STRLEN, 20, true, Factory.POOLED, 7, null, null));
    assertThat(ConfinedSection.of(new JmhMeasurement<>(results, List.of())).json())
        .hasToString(
            "{\"results\":[{\"shape\":\"one\",\"sizeBytes\":5,\"threads\":\"platform\","
                + "\"factory\":\"jdk\",\"nanosPerOperation\":48.123,\"errorNanos\":0.4567,"
                + "\"bytesPerOperation\":4.0E-4},{\"shape\":\"strlen\",\"sizeBytes\":20,"
                + "\"threads\":\"virtual\",\"factory\":\"pooled\",\"nanosPerOperation\":7.0,"
                + "\"errorNanos\":null,\"bytesPerOperation\":null}]}");
  }

  @Test
  void tables_lineUpAndShowWhatIsNotThere() {
    List<JmhResult<ConfinedCell>> results =
        List.of(
            result(Shape.ONE, 5, false, Factory.JDK, 48.1, 0.4, 0.0),
            result(Shape.ONE, 5, false, Factory.POOLED, 4.2, 0.1, 0.0),
            result(Shape.ONE, 5, false, Factory.LWJGL, 6, 0.1, 0.0),
            result(Shape.FOUR, 16, true, Factory.JDK, 1176.4, null, 192.3));
    assertThat(lines(results))
        .containsExactly(
            "confined: an arena from open to close, by its use",
            "                        --------- ns per arena ---------              -- B/op ---",
            "shape  bytes    thread    jdk     ±  pooled     ±  lwjgl  jdk/pooled  jdk  pooled",
            "one        5  platform  48.10  0.40    4.20  0.10   6.00       11.5x    0       0",
            "four      16   virtual  1,176     -       -     -      -           -  192       -",
            "",
            "Against Arena.ofConfined(), as claimed for JDK 25 on Linux x86-64:",
            "claim                                   original  wanted   here  verdict",
            "5 bytes                                     6.8x  >= 10x  11.5x  reached",
            "mean of 1 size, 0 to 64 bytes  12.7x (macOS, M1)  >= 10x  11.5x  reached",
            "");
    assertThat(lines(results.subList(2, 4)))
        .as("nothing that is claimed")
        .containsExactly(
            "confined: an arena from open to close, by its use",
            "                           ns per arena  B/op",
            "shape  bytes    thread    jdk  ±  lwjgl   jdk",
            "one        5  platform      -  -   6.00     -",
            "four      16   virtual  1,176  -      -   192",
            "");
    assertThat(lines(List.of())).isEmpty();
  }

  @Test
  void sentences_areMadeFromTheFigures() {
    Section section = ConfinedSection.of(sample());
    assertThat(section.headline())
        .isEqualTo(
            "With one allocation of 20 bytes Arena.ofConfined() takes 10.7 times as long as a"
                + " pooled arena.");
    assertThat(section.findings())
        .containsExactly(
            section.headline(),
            "The mean of 4 sizes from 0 to 64 bytes is 48.4 ns with Arena.ofConfined() and 4.6 ns"
                + " with a pooled arena.",
            "Confined arenas: 8 of 8 claims reached.");
    assertThat(section.failures()).containsExactly("fork failed: shape=one");
  }

  @Test
  void missedClaimsAndNoise_areSaid() {
    List<JmhResult<ConfinedCell>> results =
        List.of(
            result(Shape.ONE, 5, false, Factory.JDK, 48, 0.4, 0.0),
            result(Shape.ONE, 5, false, Factory.POOLED, 24, 25.0, 0.0));
    assertThat(ConfinedSection.of(new JmhMeasurement<>(results, List.of())).findings())
        .containsExactly(
            "Confined arenas: 0 of 2 claims reached; not 5 bytes (≈ 1, wanted >= 10x), mean of"
                + " 1 size, 0 to 64 bytes (≈ 1, wanted >= 10x).",
            "Of 2 figures 1 have an error larger than the figure: the machine was busy; measure"
                + " again on an idle one.");
  }

  @Test
  void curves_areOneForEachFactory() {
    String html = Html.of(ConfinedSection.of(sample()).parts());
    assertThat(html)
        .contains(
            "aria-label=\"Up to 64 bytes: jdk, pooled, lwjgl in ns over bytes\"",
            "aria-label=\"All sizes: jdk, pooled, lwjgl in ns over bytes\"",
            "<th scope=\"row\">lwjgl</th><td>LWJGL's MemoryStack</td><td>yes</td><td>addresses"
                + " without");
  }

  @Test
  void nothingMeasured_saysWhy() {
    Section section = ConfinedSection.without("no such file: jar=x");
    assertThat(section.findings())
        .containsExactly("Confined arenas were not measured: no such file: jar=x");
    assertThat(section.failures()).isEmpty();
    assertThat(section.json()).hasToString("{\"results\":[]}");
  }

  private static List<String> lines(List<JmhResult<ConfinedCell>> results) {
    return ConfinedSection.of(new JmhMeasurement<>(results, List.of())).lines();
  }

  private static JmhResult<ConfinedCell> result(
      Shape shape,
      int sizeBytes,
      boolean isVirtual,
      Factory factory,
      double nanos,
      @Nullable Double error,
      @Nullable Double bytes) {
    return new JmhResult<>(
        new ConfinedCell(shape, sizeBytes, isVirtual, factory), nanos, error, bytes);
  }
}
