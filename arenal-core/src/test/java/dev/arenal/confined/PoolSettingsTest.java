package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of slabs as text; what becomes of it in a JVM is seen by {@link PoolProgramTest}. */
final class PoolSettingsTest {
  private static final int DEFAULT_BYTES = 8192;

  @Test
  void absent_isTheDefault() {
    assertThat(PoolSettings.parse(null)).isEqualTo(new PoolSettings(DEFAULT_BYTES, null));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "8, 16",
    "9, 16",
    "16, 16",
    "17, 32",
    "64, 64",
    "100, 112",
    "8192, 8192",
    "16369, 16384",
    "16383, 16384",
    "16384, 16384",
    "+64, 64",
    "064, 64",
    "-0, 0",
    "' 64 ', 64",
    "'\t0\n', 0",
  })
  void goodSizes_areRoundedUp(String text, int slabSizeBytes) {
    assertThat(PoolSettings.parse(text)).isEqualTo(new PoolSettings(slabSizeBytes, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "1",
        "7",
        "16385",
        "1048576",
        "-8",
        "2147483648",
        "4294967360",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "99999999999999999999999",
        " 7 ",
      })
  void outOfRange_isTheDefaultAndAComplaint(String text) {
    assertThat(PoolSettings.parse(text))
        .isEqualTo(new PoolSettings(DEFAULT_BYTES, complaint("out of range", text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "\t", "x", "8k", "8K", "0x40", "8_192", "8,192", "8192.0", "1e3", "- 8", "--8",
        "on", "true", "null", "64 64", "{0}", "%s", "\u0668",
      })
  void garbage_isTheDefaultAndAComplaint(String text) {
    assertThat(PoolSettings.parse(text))
        .isEqualTo(new PoolSettings(DEFAULT_BYTES, complaint("not a number of bytes", text)));
  }

  static String complaint(String what, String text) {
    return "pool size is "
        + what
        + ": arenal.confined.poolSizeBytes="
        + text
        + ", expected 0 (no pool) or 8 to 16384; using 8192";
  }

  /** In this JVM, which runs without the setting. */
  @Test
  void pageAlignment_isNotAskedForHere() {
    assertThat(Pool.wantsWholePages()).isFalse();
  }
}
