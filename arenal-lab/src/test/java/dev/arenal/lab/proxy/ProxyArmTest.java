package dev.arenal.lab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an arm makes of its settings. */
final class ProxyArmTest {
  /** Its option is a number of seconds. */
  @ParameterizedTest
  @CsvSource({"100, 1", "1000, 1", "1499, 1", "1900, 2", "30000, 30"})
  void delayOfTheAgent_isInWholeSeconds(long toldMillis, long seconds) {
    assertThat(ProxyArm.ARENAL_AGENT.delay(Duration.ofMillis(toldMillis)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void delayOfOthers_isWhatTheyAreTold() {
    assertThat(ProxyArm.ARENAL.delay(Duration.ofMillis(1900))).isEqualTo(Duration.ofMillis(1900));
  }
}
