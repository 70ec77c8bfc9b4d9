package dev.arenal.lab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

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

  /** By itself it goes without where the JVM may have 512 MiB or less, as this one. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ARENAL_AGENT") // whose jar may be missing
  void netty_hasItsCaches(ProxyArm arm) throws IOException {
    ProxySetup setup =
        new ProxySetup(arm, Duration.ofSeconds(1), 256 << 10, 0, 16 << 10, ProxyTransport.AUTO);
    assertThat(ProxyProcess.flags(setup))
        .contains("-Xmx" + (256 << 20), "-Dio.netty.allocator.lowMemory=false");
  }
}
