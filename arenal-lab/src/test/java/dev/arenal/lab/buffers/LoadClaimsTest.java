package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.result.Claim;
import java.util.List;
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

  /** "1.25, wanted at most 1.25: not reached" would be no answer. */
  @Test
  void figureThatRoundsToItsLimit_hasTheDigitsThatDecide() {
    List<ChurnResult> churns =
        List.of(
            Loads.churn(PeerKind.ARENAL, 2, 200.1, 1, 1.2504),
            Loads.churn(PeerKind.NETTY_ADAPTIVE, 2, 200, 1, 2));
    BurstMeasurement bursts =
        new BurstMeasurement(
            Loads.bursts().plan(),
            List.of(
                new BurstResult(
                    PeerKind.ARENAL_SHORT,
                    "arenal",
                    2,
                    false,
                    List.of(new BurstPoint(0, 53_690_000)),
                    0,
                    null,
                    null,
                    null,
                    0,
                    List.of())),
            List.of());

    assertThat(ChurnClaims.of(measured(churns)))
        .containsExactly(
            new Claim("resident over live, highest, 2 threads", "<= 1.25", "1.2504", false),
            new Claim("growth of it along the way, 2 threads", "<= 5 %", "+0.0 %", true),
            new Claim(
                "operations a second, 2 threads",
                ">= 5.00 M (netty-adaptive)",
                "5.00 M (0.9995x)",
                false));
    assertThat(BurstClaims.of(bursts))
        .containsExactly(new Claim("idle, 2 threads", "<= 5 % of the burst", "5.0003 %", false));
  }

  @Test
  void rivalsThatAreAsGoodOrBetter_areNamedWithTheirFigures() {
    assertThat(ChurnClaims.rivals(Loads.churns()))
        .containsExactly(
            "As good as arenal or better, 1 thread: in highest resident over live (1.12) no rival;"
                + " in ns an operation (200) no rival; in p99.9 of an allocation, ns (2,000) no"
                + " rival.",
            "As good as arenal or better, 16 threads: in highest resident over live (1.40) no"
                + " rival; in ns an operation (250) netty-adaptive (240); in p99.9 of an"
                + " allocation, ns (2,500) netty-adaptive (2,400).");
    assertThat(BurstClaims.rivals(Loads.bursts()))
        .containsExactly(
            "As good as arenal-short or better, 2 threads: in MiB kept when idle (10) malloc-trim"
                + " (0); in MiB kept when idle beside survivors (180) no rival.");
  }

  @Test
  void figuresThatAreShownAlike_areAlike() {
    List<ChurnResult> all =
        List.of(
            Loads.churn(PeerKind.ARENAL, 2, 200.1, 1, 1.101),
            Loads.churn(PeerKind.MALLOC_TRIM, 2, 200.4, 1, 1.104),
            Loads.churn(PeerKind.ARENAL_ZEROED, 2, 100, 1, 1));

    assertThat(ChurnClaims.rivals(measured(all)).getFirst())
        .startsWith(
            "As good as arenal or better, 2 threads: in highest resident over live (1.10)"
                + " malloc-trim (1.10); in ns an operation (200) malloc-trim (200); ");
  }

  /** As on a machine where a library is missing, or with old results, or with Arenal alone. */
  @Test
  void missingRowsAndFigures_breakNoClaim() {
    assertThat(ChurnClaims.rivals(measured(List.of(Loads.churn(PeerKind.ARENAL, 2, 1, 1, 1)))))
        .isEmpty();
    assertThat(ChurnClaims.rivals(measured(List.of(Loads.churn(PeerKind.MALLOC, 2, 1, 1, 1)))))
        .isEmpty();
    BurstMeasurement bursts = Loads.bursts();
    List<BurstResult> noShort =
        bursts.results().stream().filter(row -> row.kind() != PeerKind.ARENAL_SHORT).toList();
    BurstMeasurement byDefault = new BurstMeasurement(bursts.plan(), noShort, List.of());
    assertThat(BurstClaims.of(byDefault)).isEmpty();
    assertThat(BurstClaims.rivals(byDefault))
        .containsExactly(
            "As good as arenal or better, 2 threads: in MiB kept when idle (1,050) malloc-trim (0),"
                + " malloc (900); in MiB kept when idle beside survivors (1,030) malloc-trim (280),"
                + " malloc (980).");
    assertThat(BurstClaims.rivals(new BurstMeasurement(bursts.plan(), List.of(), List.of())))
        .isEmpty();
  }

  /** Before there were rows with either delay. */
  @Test
  void burstOfArenalWithoutADelay_hadTheShortOne() {
    BurstResult old =
        new BurstResult(
            PeerKind.ARENAL,
            "arenal",
            1,
            false,
            List.of(new BurstPoint(0, 1)),
            0,
            null,
            null,
            null,
            0,
            List.of());

    assertThat(old.kind()).isEqualTo(PeerKind.ARENAL_SHORT);
  }

  @Test
  void ofSeveralBursts_theOneInTheMiddleIsShownAndTheWorstCounts() {
    BurstResult result =
        BurstResult.ofRuns(
            List.of(
                Loads.burst(PeerKind.ARENAL_SHORT, 2, 0, 0, 1060, 90),
                Loads.burst(PeerKind.ARENAL_SHORT, 2, 0, 0, 1050, 10),
                Loads.burst(PeerKind.ARENAL_SHORT, 2, 0, 0, 1070, 20)));
    BurstMeasurement measurement =
        new BurstMeasurement(Loads.bursts().plan(), List.of(result), List.of());

    assertThat(result.idleResidentBytes()).isEqualTo(20 << 20);
    assertThat(result.leastIdleShare(1 << 30)).isEqualTo(10 / 1024.0);
    assertThat(result.mostIdleShare(1 << 30)).isEqualTo(90 / 1024.0);
    assertThat(result.runs()).hasSize(3);
    assertThat(BurstClaims.of(measurement)).singleElement().matches(claim -> !claim.isReached());
  }

  private static ChurnMeasurement measured(List<ChurnResult> results) {
    ChurnPlan plan =
        new ChurnPlan(
            List.of(PeerKind.ARENAL), List.of(2), 1000, 1, 100 << 20, BufferSizes.USUAL, List.of());
    return new ChurnMeasurement(plan, results, List.of(), List.of());
  }

  @Test
  void ofSeveralRuns_theTimeInTheMiddleCountsAndTheHighestResidentSize() {
    ChurnResult result =
        ChurnResult.ofRuns(
            List.of(
                Loads.churn(PeerKind.ARENAL, 2, 500, 1, 1.1, 1.2),
                Loads.churn(PeerKind.ARENAL, 2, 300, 1, 1.4, 1.1),
                Loads.churn(PeerKind.ARENAL, 2, 400, 1, 1.3, 1.3)));

    assertThat(result.nanosPerOperation()).isEqualTo(400);
    assertThat(result.leastNanosPerOperation()).isEqualTo(300);
    assertThat(result.mostNanosPerOperation()).isEqualTo(500);
    assertThat(result.residentPerLive()).isEqualTo(1.3);
    assertThat(result.mostResidentPerLive()).isEqualTo(1.4);
    assertThat(result.runs())
        .extracting(ChurnResult.Run::nanosPerOperation)
        .containsExactly(500.0, 300.0, 400.0);
  }

  @Test
  void aSpeedThatIsClaimed_isComparedRoundByRoundAsWell() {
    ChurnResult arenal =
        ChurnResult.ofRuns(
            List.of(
                Loads.churn(PeerKind.ARENAL, 2, 400, 1, 1.1),
                Loads.churn(PeerKind.ARENAL, 2, 500, 1, 1.1)));
    ChurnResult netty =
        ChurnResult.ofRuns(
            List.of(
                Loads.churn(PeerKind.NETTY_ADAPTIVE, 2, 500, 1, 2),
                Loads.churn(PeerKind.NETTY_ADAPTIVE, 2, 450, 1, 2)));

    assertThat(ChurnClaims.of(measured(List.of(arenal, netty))))
        .contains(
            new Claim(
                "operations a second, 2 threads",
                ">= 2.22 M (netty-adaptive)",
                "2.50 M (1.13x; by rounds 0.90x to 1.25x)",
                true));
  }

  @Test
  void runsOfAPlan_areAtLeastOne() {
    assertThatThrownBy(() -> ChurnPlan.checkRuns(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run that often: runs=0 (expected 1 to 100)");
  }

  @Test
  void medianSlice_isOfTimesBetweenPoints() {
    ChurnResult result = Loads.churn(PeerKind.MALLOC, 1, 300, 1, 1, 1);

    assertThat(result.nanosPerOperation()).isEqualTo(300);
    assertThat(result.medianNanosPerOperation()).isEqualTo(300);
    assertThat(result.operationsPerSecond()).isBetween(3.33e6, 3.34e6);
  }
}
