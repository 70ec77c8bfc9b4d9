package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The property that says how many handles are watched. */
final class WatchModeTest {
  @ParameterizedTest
  @CsvSource({"off, OFF", "sample, SAMPLE", "all, ALL", "ALL, ALL", "' Off ', OFF"})
  void nameOfAMode_isThatMode(String text, WatchMode mode) {
    assertThat(WatchMode.parse(text)).isEqualTo(mode);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "paranoid", "1", "true"})
  void otherName_isNone(String text) {
    assertThat(WatchMode.parse(text)).isNull();
  }

  @Test
  void withoutTheProperty_oneIn128() {
    assertThat(WatchMode.parse(null)).isEqualTo(WatchMode.SAMPLE);
    assertThat(WatchMode.SAMPLE.period()).isEqualTo(128);
    assertThat(WatchMode.ALL.period()).isEqualTo(1);
    assertThat(WatchMode.OFF.period()).isZero();
  }
}
