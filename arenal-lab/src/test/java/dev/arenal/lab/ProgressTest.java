package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The line that is written over and over. */
final class ProgressTest {
  @Test
  void longLine_keepsItsBeginAndEnd() {
    assertThat(Progress.shortened("churn: arenal", -1)).isEqualTo("…"); // ten columns, a long run
    assertThat(Progress.shortened("churn: arenal", 79)).isEqualTo("churn: arenal");
    String text = "buffers: 412 of 496, round 2 of 3, netty-adaptive 1048576, 16 threads";
    assertThat(Progress.shortened(text, 21)).isEqualTo("buffers: 4…16 threads").hasSize(21);
  }

  @Test
  void narrowTerminal_isNotFilled() {
    assertThat(Progress.mostColumns("60")).isEqualTo(59);
    assertThat(Progress.mostColumns("200")).isEqualTo(79);
    assertThat(Progress.mostColumns(null)).isEqualTo(79);
    assertThat(Progress.mostColumns("")).isEqualTo(79);
    assertThat(Progress.mostColumns("0")).isEqualTo(79);
  }
}
