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
  void withoutTheProperty_itIsSample() {
    assertThat(WatchMode.parse(null)).isEqualTo(WatchMode.SAMPLE);
    assertThat(WatchMode.CURRENT).isEqualTo(WatchMode.SAMPLE);
    assertThat(WatchMode.IS_ON).isTrue();
  }

  @Test
  void complaint_saysWhatIsTaken() {
    assertThat(WatchMode.complaint("paranoid"))
        .isEqualTo(
            "no such mode: arenal.leaks=paranoid"
                + " (expected off, sample or all; sample is taken)");
  }
}
