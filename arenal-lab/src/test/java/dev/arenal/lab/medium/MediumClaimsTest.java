package dev.arenal.lab.medium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.result.Claim;
import dev.arenal.lab.result.Claim.Outcome;
import org.junit.jupiter.api.Test;

/** Claims against figures made up here. */
final class MediumClaimsTest {
  private static final long MIB = 1 << 20;

  @Test
  void everythingAsClaimed_isReached() {
    assertThat(MediumClaims.of(Results.asClaimed()))
        .containsExactly(
            new Claim(
                "undo page allocation, ops/s max",
                "71 -> 8",
                "> 0 -> 0",
                "5 -> 0",
                Outcome.REACHED),
            new Claim("page cache flush, MB/s max", "380 -> 0", "0", "3 -> 0", Outcome.REACHED),
            new Claim("defragment, ops/s max", "190 -> 0", "0", "1 -> 0", Outcome.REACHED),
            new Claim(
                "pages taken over buffers, MB/s max",
                "2846 -> 1086",
                "not higher",
                "1.40x -> 1.01x",
                Outcome.REACHED),
            new Claim(
                "allocation rate, MB/s average",
                "-",
                "not lower",
                "1,000 -> 1,010 (1.01x)",
                Outcome.REACHED),
            new Claim(
                "99.9 % of medium buffers within, us",
                "-", "lower", "9,044 -> 3,015 (0.33x)", Outcome.REACHED));
  }

  /** Nothing is shown by a baseline that undoes nothing. */
  @Test
  void baselineWithoutUndo_isNotReached() {
    MediumMeasurement measurement = Results.of(Results.without(0), Results.with(0));
    assertThat(MediumClaims.of(measurement).getFirst())
        .isEqualTo(
            new Claim(
                "undo page allocation, ops/s max",
                "71 -> 8",
                "> 0 -> 0",
                "0 -> 0",
                Outcome.MISSED));
  }

  @Test
  void oneUndoneInOneRun_isNotReached() {
    MediumMeasurement measurement =
        Results.of(Results.without(7), Results.with(1), Results.with(0), Results.without(2));
    assertThat(MediumClaims.of(measurement).getFirst().shown()).isEqualTo("7 -> 1");
    assertThat(MediumClaims.of(measurement).getFirst().outcome()).isEqualTo(Outcome.MISSED);
  }

  @Test
  void variantsTheOtherWayRound_missEverything() {
    MediumFigure rate = new MediumFigure(969 * MIB, 1000 * MIB, 2000 * MIB);
    MediumResult worse =
        Results.result(
            true,
            rate,
            new MediumFigure(1000 * MIB, 1450 * MIB, 2000 * MIB),
            new MediumFigure(1, 1, 1),
            // Less than a MiB is something.
            new MediumFigure(1000, MIB / 4, 2000),
            new MediumFigure(0.5, 1, 1),
            Results.latencies(9_000_000));
    assertThat(MediumClaims.of(Results.of(Results.without(1), worse)))
        .extracting(Claim::shown)
        .containsExactly(
            "1 -> 1",
            "3 -> 0.25",
            "1 -> 1",
            "1.40x -> 1.45x",
            "1,000 -> 969 (0.969x)",
            "9,044 -> 9,044 (1.00x)");
    assertThat(MediumClaims.of(Results.of(Results.without(1), worse)))
        .extracting(Claim::outcome)
        .containsOnly(Outcome.MISSED);
  }

  @Test
  void variantThatFailed_isNotJudged() {
    assertThat(MediumClaims.of(Results.of(Results.with(0), Results.with(0))))
        .hasSize(6)
        .allSatisfy(verdict -> {
          assertThat(verdict.outcome()).isEqualTo(Outcome.NOT_MEASURED);
          assertThat(verdict.shown()).isEmpty();
        });
  }
}
