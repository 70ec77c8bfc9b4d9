package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** System properties, good and bad. */
final class SharedSettingsTest {
  private static final long TIB = 1L << 40;

  @Test
  void absent_isNoLimitAndTheUsualDelay() {
    SharedSettings settings = SharedSettings.parse(null, null);
    assertThat(settings.limitBytes()).isZero();
    assertThat(settings.uncommitDelay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.complaints()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"8388608, 0", "1073741824, 1000", "' 4398046511104 ', 31536000000"})
  void numbersInRange_areTaken(String limit, String delay) {
    SharedSettings settings = SharedSettings.parse(limit, delay);
    assertThat(settings.limitBytes()).isEqualTo(Long.parseLong(limit.strip()));
    assertThat(settings.uncommitDelay()).isEqualTo(Duration.ofMillis(Long.parseLong(delay)));
    assertThat(settings.complaints()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"8m, 8388608", "8192K, 8388608", "1g, 1073741824", "' 4T ', 4398046511104"})
  void limit_isASizeAsBehindXmx(String limit, long limitBytes) {
    SharedSettings settings = SharedSettings.parse(limit, null);
    assertThat(settings.limitBytes()).isEqualTo(limitBytes);
    assertThat(settings.complaints()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8388607",
        "0",
        "-1",
        "4398046511105",
        "1gb",
        "g",
        "5t",
        "7m",
        "-1g",
        "-17179869183g",
        "1 g",
        "9999999999999999t",
        "99999999999999999999"
      })
  void otherLimits_areNone_andSayWhatIsExpected(String limit) {
    SharedSettings settings = SharedSettings.parse(limit, null);
    assertThat(settings.limitBytes()).isZero();
    assertThat(settings.complaints())
        .containsExactly(
            "invalid setting: arenal.arrow.limitBytes="
                + limit
                + " (expected a number from 8388608 to 4398046511104, or a size such as 512m;"
                + " using no limit)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "31536000001", "1s", "1.5"})
  void otherDelays_areTheUsualOne_andSayWhatIsExpected(String delay) {
    SharedSettings settings = SharedSettings.parse("8388608", delay);
    assertThat(settings.limitBytes()).isEqualTo(8388608);
    assertThat(settings.uncommitDelay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.complaints())
        .containsExactly(
            "invalid setting: arenal.arrow.uncommitDelayMillis="
                + delay
                + " (expected a number from 0 to 31536000000; using 300000)");
  }

  @Test
  void capacity_isTwiceWhatMayBeUsed_withinWhatPagesCanHave() {
    assertThat(SharedPages.capacityBytes(8 << 20)).isEqualTo(128 << 20);
    assertThat(SharedPages.capacityBytes(1 << 30)).isEqualTo(2L << 30);
    assertThat(SharedPages.capacityBytes(4 * TIB)).isEqualTo(8 * TIB);
    assertThat(SharedPages.capacityBytes(Long.MAX_VALUE)).isEqualTo(8 * TIB); // not known
  }
}
