package dev.arenal.lab.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ComparisonTest {
  @Test
  void difference_countsOnlyBeyondTheErrorOfBoth() {
    // 3 and 4 make 5.
    assertThat(new Comparison(25, 3.0, 20, 4.0).times()).isEqualTo("≈ 1");
    assertThat(new Comparison(25.1, 3.0, 20, 4.0).times("%.1fx")).isEqualTo("1.3x");
    assertThat(new Comparison(15, 3.0, 20, 4.0).times()).isEqualTo("≈ 1");
    assertThat(new Comparison(40, 1.0, 20, 1.0).times()).isEqualTo("2.00");
  }

  @Test
  void ratioOfFiguresWithoutAnError_isMarked() {
    assertThat(new Comparison(40, null, 20, 1.0).times()).isEqualTo("2.00 ?");
    assertThat(new Comparison(40, 1.0, 20, Double.NaN).times("%.1f")).isEqualTo("2.0 ?");
  }

  @Test
  void ratioOfWhatIsNotThere_isADash() {
    assertThat(new Comparison(Double.NaN, 1.0, 20, 1.0).times()).isEqualTo(Figures.NONE);
    assertThat(new Comparison(1, 1.0, 0, 1.0).times("%.1f")).isEqualTo(Figures.NONE);
    assertThat(new Comparison(1, 5.0, Double.NaN, 5.0).isWithinError()).isFalse();
  }
}
