package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.figure.Html;
import dev.arenal.lab.firstuse.FirstUseMeasurement;
import dev.arenal.lab.firstuse.FirstUsePlan;
import dev.arenal.lab.firstuse.FirstUses;
import java.util.List;
import org.junit.jupiter.api.Test;

/** First uses, as they are shown; figures are made up. */
final class FirstUseSectionTest {
  @Test
  void figures_areShown() {
    Section section = FirstUseSection.of(FirstUses.asClaimed());

    assertThat(section.headline())
        .isEqualTo(
            "In a fresh JVM the first space with an arena takes 30 ms, the first page allocator"
                + " with a buffer 36 ms, the JDK's first arena 12 ms; with an AOT cache 8, 9 and"
                + " 4 ms.");
    assertThat(section.findings())
        .containsExactly(section.headline(), "First use: 4 of 4 claims reached.");
    assertThat(section.failures()).containsExactly("first use died: subject=netty");
    assertThat(Html.of(section.parts()))
        .contains(
            "100 bytes in a fresh JVM, medians of 3 runs", "Hatched: with an AOT cache.", "36.0");
    assertThat(section.json().path("results").path(2).path("medianMillisWithAotCache").asDouble())
        .isEqualTo(7.5);
  }

  /** Where all are faster than three times the JDK, and Netty has failed. */
  @Test
  void mark_isInsideOfTheChart() {
    String html = Html.of(FirstUseSection.of(FirstUses.measurement(30, 18, true)).parts());

    assertThat(html)
        .contains("dashed: three times the JDK's first arena without a cache")
        .contains("--live-at:100.00%", "width:83.33%");
  }

  @Test
  void table_linesUp() {
    assertThat(FirstUseSection.of(FirstUses.asClaimed()).lines())
        .startsWith("first-use: 100 bytes in a fresh JVM, medians of 3 runs")
        .contains(
            "JDK, confined arena                  12.0   11.0   1.00    4.00   3.00   1.00"
                + "      112             104");
  }

  @Test
  void withoutACache_thereAreNoColumnsOfIt() {
    Section section = FirstUseSection.of(FirstUses.measurement(36, 120, false));

    assertThat(section.headline()).endsWith("the JDK's first arena 12 ms.");
    assertThat(section.findings())
        .contains(
            "First use: 1 of 2 claims reached; not Arenal, page allocator and buffer, against"
                + " the JDK's arena (10.0x (120.0 ms), wanted <= 3.0x).");
    assertThat(Html.of(section.parts()))
        .contains("no AOT cache: a reason")
        .doesNotContain("ms with an AOT cache", "Hatched");
  }

  @Test
  void nothing_isSaid() {
    Section section =
        FirstUseSection.of(
            new FirstUseMeasurement(
                new FirstUsePlan(1, true), List.of(), List.of("no AOT cache: x"), List.of("y")));

    assertThat(section.headline()).isEmpty();
    assertThat(section.findings()).isEmpty();
    assertThat(section.failures()).containsExactly("y");
  }
}
