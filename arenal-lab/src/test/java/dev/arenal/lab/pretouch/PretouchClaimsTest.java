package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.result.Claim;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims and what follows from figures, with figures made up here. */
final class PretouchClaimsTest {
  private static final long GIB = PretouchPlan.GIB;

  @Test
  void everythingAsClaimed_isReached() {
    assertThat(PretouchClaims.of(Pretouches.asClaimed()))
        .containsExactly(
            new Claim(
                "4 KiB pages, all threads, against G1", ">= 1.5x", "2.00x (1.00 s, 2.00 s)", true),
            new Claim(
                "huge pages, all threads, against G1 with small pages",
                ">= 4.0x",
                "8.00x (0.25 s, 2.00 s)",
                true),
            new Claim(
                "4 KiB pages, all threads, against a loop in C",
                ">= 0.9x",
                "0.90x (1.00 s, 0.90 s)",
                true),
            new Claim("more than there is, refused", "< 50 ms", "12.3 ms", true));
  }

  @Test
  void slowerOnes_areNotReached() {
    PretouchSubject g1 = PretouchSubject.jvm("JDK 25", Collector.G1, false, false);
    PretouchSubject touched = PretouchSubject.jvm("JDK 25", Collector.G1, true, false);
    PretouchResult untouched = Pretouches.result(g1, GIB, 0.5);
    List<Claim> claims =
        claims(
            untouched,
            Pretouches.touched(touched, untouched, 1.5),
            Pretouches.result(PretouchSubject.arenal(Method.POPULATE, false, 2), GIB, 1),
            Pretouches.result(PretouchSubject.arenal(Method.POPULATE, true, 2), GIB, 0.5),
            Pretouches.result(PretouchSubject.kernel(Method.POPULATE, false, 2), GIB, 0.5));
    assertThat(claims).hasSize(3).noneMatch(Claim::isReached);
    assertThat(claims).noneMatch(Claim::isReached);
  }

  @Test
  void whatDidNotRun_isNotJudged() {
    PretouchSubject touched = PretouchSubject.jvm("JDK 25", Collector.G1, true, false);
    assertThat(claims()).isEmpty();
    assertThat(
            claims(
                // Without its start without touching there is nothing that it adds.
                Pretouches.result(touched, GIB, 1.5),
                Pretouches.result(PretouchSubject.arenal(Method.POPULATE, false, 2), GIB, 1)))
        .isEmpty();
  }

  /** Of two JVMs the one that is harder to beat. */
  @Test
  void g1_isThatOfTheFasterJvm() {
    PretouchResult old = Pretouches.result(jvm("JDK 21", false), GIB, 0.25);
    PretouchResult young = Pretouches.result(jvm("JDK 25", false), GIB, 0.25);
    PretouchMeasurement measurement =
        measurement(
            old,
            Pretouches.touched(jvm("JDK 21", true), old, 0.75),
            young,
            Pretouches.touched(jvm("JDK 25", true), young, 1.25));
    assertThat(PretouchClaims.g1(measurement, false))
        .hasValueSatisfying(g1 -> assertThat(g1.touchSeconds()).isEqualTo(0.5));
    assertThat(PretouchClaims.g1(measurement, true)).isEmpty();
  }

  @Test
  void hugePages_areComparedWithHugePages() {
    PretouchSubject g1 = PretouchSubject.jvm("JDK 25", Collector.G1, false, true);
    PretouchSubject touched = PretouchSubject.jvm("JDK 25", Collector.G1, true, true);
    PretouchResult untouched = Pretouches.result(g1, GIB, 0.5);
    assertThat(
            claims(
                untouched,
                Pretouches.touched(touched, untouched, 0.75),
                Pretouches.result(PretouchSubject.arenal(Method.POPULATE, true, 2), GIB, 0.5)))
        .containsExactly(
            new Claim(
                "huge pages, all threads, against G1 with huge pages",
                ">= 1.0x",
                "0.50x (0.50 s, 0.25 s)",
                false));
  }

  /** Eight runs are the first that have an error: from the fastest to the slowest. */
  @Test
  void differenceWithinTheError_isNoVerdict() {
    double[] untouched = around(0.5, 0.03);
    double[] touched = around(0.9, 0.04);

    assertThat(hugeAgainstG1(untouched, touched, around(0.5, 0.12)))
        .containsExactly(withinError("0.80x (0.50 ± 0.12 s, 0.40 ± 0.05 s)"));
    assertThat(hugeAgainstG1(untouched, touched, around(0.5, 0.04)))
        .extracting(Claim::outcome)
        .containsExactly(Claim.Outcome.MISSED);
    assertThat(hugeAgainstG1(untouched, touched, around(0.3, 0.04)))
        .extracting(Claim::outcome)
        .containsExactly(Claim.Outcome.REACHED);
  }

  /** Fewer than eight runs have no error; that of the others may be large enough. */
  @Test
  void oneErrorThatIsKnown_isEnough() {
    double[] untouched = {0.5, 0.5, 0.5};
    double[] touched = {0.9, 0.9, 0.9};

    assertThat(hugeAgainstG1(untouched, touched, around(0.5, 0.12)))
        .containsExactly(withinError("0.80x (0.50 ± 0.12 s, 0.40 s)"));
    assertThat(hugeAgainstG1(untouched, touched, around(0.5, 0.08)))
        .extracting(Claim::outcome)
        .containsExactly(Claim.Outcome.MISSED);
    assertThat(hugeAgainstG1(untouched, touched, 0.5, 0.38, 0.62))
        .extracting(Claim::outcome)
        .containsExactly(Claim.Outcome.MISSED);
  }

  /** Of the difference of two times, too. */
  @Test
  void errorWithTouchingAlone_counts() {
    double[] untouched = {0.5, 0.5, 0.5};

    assertThat(hugeAgainstG1(untouched, around(0.9, 0.12), 0.5, 0.5, 0.5))
        .containsExactly(withinError("0.80x (0.50 s, 0.40 ± 0.12 s)"));
  }

  private static List<Claim> hugeAgainstG1(double[] untouched, double[] touched, double... ours) {
    PretouchSubject g1 = PretouchSubject.jvm("JDK 25", Collector.G1, false, true);
    PretouchSubject touching = PretouchSubject.jvm("JDK 25", Collector.G1, true, true);
    PretouchSubject arenal = PretouchSubject.arenal(Method.POPULATE, true, 2);
    PretouchResult base = Pretouches.result(g1, GIB, untouched);
    return claims(
        base, Pretouches.touched(touching, base, touched), Pretouches.result(arenal, GIB, ours));
  }

  private static Claim withinError(String here) {
    return new Claim(
        "huge pages, all threads, against G1 with huge pages",
        "",
        ">= 1.0x",
        here,
        Claim.Outcome.WITHIN_ERROR);
  }

  private static double[] around(double seconds, double error) {
    double[] runs = new double[8];
    Arrays.fill(runs, seconds);
    runs[0] -= error;
    runs[1] += error;
    return runs;
  }

  @Test
  void refusal_isQuickAndHarmless() {
    assertThat(refusal(new Refusal(GIB, 50, 80, "no", 1, 0L)))
        .isEqualTo(new Claim("more than there is, refused", "< 50 ms", "50.0 ms", false));
    assertThat(refusal(new Refusal(GIB, 1, 80, "", 1, 0L)))
        .isEqualTo(new Claim("more than there is, refused", "< 50 ms", "not refused", false));
    assertThat(refusal(new Refusal(GIB, 1, 80, "no", 1, 2L)))
        .isEqualTo(
            new Claim(
                "more than there is, refused",
                "< 50 ms",
                "processes ended by the kernel: 2",
                false));
    assertThat(refusal(new Refusal(GIB, 1, 80, "no", 1, null)).isReached()).isTrue();
  }

  @Test
  void figures_areMedians() {
    PretouchResult result = Pretouches.result(jvm("JDK 25", true), GIB, 4, 1, 2);
    assertThat(result.wallSeconds()).isEqualTo(2);
    assertThat(result.systemSeconds()).isEqualTo(1);
    assertThat(result.leastSeconds()).isEqualTo(1);
    assertThat(result.mostSeconds()).isEqualTo(4);
    assertThat(result.totalSeconds()).isEqualTo(2.5);
    assertThat(Pretouches.result(jvm("JDK 25", true), GIB, 4, 1).wallSeconds()).isEqualTo(2.5);
  }

  private static PretouchSubject jvm(String label, boolean pretouch) {
    return PretouchSubject.jvm(label, Collector.G1, pretouch, false);
  }

  private static Claim refusal(Refusal refusal) {
    return PretouchClaims.of(Pretouches.measurement(refusal)).getLast();
  }

  private static List<Claim> claims(PretouchResult... results) {
    return PretouchClaims.of(measurement(results));
  }

  private static PretouchMeasurement measurement(PretouchResult... results) {
    return new PretouchMeasurement(Pretouches.plan(), List.of(results), null, List.of(), List.of());
  }
}
