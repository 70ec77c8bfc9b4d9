package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The delay of the page allocator of the whole program. */
final class SharedDelayTest {
  @Test
  void delay_isFiveMinutes_unlessItIsSet() {
    assertThat(SharedDelay.parse(null)).isEqualTo(new SharedDelay(Duration.ofMinutes(5), null));
    assertThat(SharedDelay.parse(" 0 ")).isEqualTo(new SharedDelay(Duration.ZERO, null));
    assertThat(SharedDelay.parse("31536000000").delay()).isEqualTo(Duration.ofDays(365));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1", "31536000001", "1s", "99999999999999999999"})
  void invalidValue_isTheDefault_andToldOf(String text) {
    assertThat(SharedDelay.parse(text))
        .isEqualTo(
            new SharedDelay(
                Duration.ofMinutes(5),
                "invalid setting: arenal.netty.uncommitDelayMillis="
                    + text
                    + " (expected a number from 0 to 31536000000; using 300000)"));
  }
}
