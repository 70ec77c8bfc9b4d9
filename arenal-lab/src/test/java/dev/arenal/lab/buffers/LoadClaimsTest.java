package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.result.Claim;
import org.junit.jupiter.api.Test;

/** What is claimed, held against made-up figures. */
final class LoadClaimsTest {
  @Test
  void churn_isHeldAgainstTheLimitTheSecondQuarterAndTheFasterNetty() {
    assertThat(ChurnClaims.of(Loads.churns()))
        .containsExactly(
            new Claim("resident over live, highest, 1 thread", "<= 1.25", "1.12", true),
            new Claim("growth of it along the way, 1 thread", "<= 5 %", "+1.4 %", true),
            new Claim(
                "operations a second, 1 thread",
                ">= 2.50 M (netty-adaptive)",
                "5.00 M (2.00x)",
                true),
            new Claim("resident over live, highest, 16 threads", "<= 1.25", "1.40", false),
            new Claim("growth of it along the way, 16 threads", "<= 5 %", "+17.4 %", false),
            new Claim(
                "operations a second, 16 threads",
                ">= 4.17 M (netty-adaptive)",
                "4.00 M (0.96x)",
                false));
  }

  @Test
  void burst_isHeldAgainstItsSize() {
    assertThat(BurstClaims.of(Loads.bursts()))
        .containsExactly(
            new Claim("idle, 2 threads", "<= 5 % of the burst", "1.0 %", true),
            new Claim("idle beside survivors, 2 threads", "<= 15 % of the burst", "17.6 %", false));
  }

  @Test
  void medianSlice_isOfTimesBetweenPoints() {
    ChurnResult result = Loads.churn(PeerKind.MALLOC, 1, 300, 1, 1, 1);

    assertThat(result.nanosPerOperation()).isEqualTo(300);
    assertThat(result.medianNanosPerOperation()).isEqualTo(300);
    assertThat(result.operationsPerSecond()).isBetween(3.33e6, 3.34e6);
  }
}
