package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReportTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "1, 1 bytes",
    "1023, 1023 bytes",
    "1024, 1.00 KB",
    "1029, 1.00 KB",
    "1030, 1.01 KB", // 1.00586
    "1536, 1.50 KB",
    "102400, 100.00 KB",
    "1048570, 1023.99 KB",
    "1048571, 1.00 MB", // 1023.995 KB
    "1048575, 1.00 MB",
    "1048576, 1.00 MB",
    "4227858, 4.03 MB",
    "1073741823, 1.00 GB",
    "1073741824, 1.00 GB",
    "107374182400, 100.00 GB",
    "1099511627775, 1024.00 GB", // nothing is above GB
    "9223372036854775807, 8589934592.00 GB",
  })
  void human_isTheLargestUnitWithTwoDecimals(long sizeBytes, String expected) {
    assertThat(ReportText.human(sizeBytes)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "0,0,  ?%",
        "0,1,  0%",
        "1,1,100%",
        "1,1000, <1%",
        "1,100,  1%",
        "149,10000,  1%",
        "150,10000,  2%",
        "50,100, 50%",
        "99,100, 99%",
        "9901,10000,>99%",
        "9223372036854775806,9223372036854775807,100%", // beyond what a double can tell
        "3,2,150%",
      })
  void percent_hasFourColumnsAndSaysWhatIsExact(long part, long whole, String expected) {
    assertThat(ReportText.percent(part, whole)).isEqualTo(expected);
  }

  @Test
  void printable_keepsANameOnItsLine() {
    String plain = "tenant 7 \u00fc";

    assertThat(ReportText.printable(plain)).isSameAs(plain);
    assertThat(ReportText.printable("a\nb\r\tc\u001b[31m\u2028d")).isEqualTo("a?b??c?[31m?d");
    assertThat(ReportText.printable("")).isEmpty();
  }

  @Test
  void pad_neverCuts() {
    assertThat(ReportText.padLeft("ab", 4)).isEqualTo("  ab");
    assertThat(ReportText.padRight("ab", 4)).isEqualTo("ab  ");
    assertThat(ReportText.padLeft("abcde", 4)).isEqualTo("abcde");
  }
}
