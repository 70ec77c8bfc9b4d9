package dev.arenal.lab.firstuse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.result.Claim;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Claims, with figures made up here. */
final class FirstUseClaimsTest {
  private static final String SPACE = "Arenal, space and arena, against the JDK's arena";
  private static final String PAGE = "Arenal, page allocator and buffer, against the JDK's arena";

  @Test
  void everythingAsClaimed_isReached() {
    assertThat(FirstUseClaims.of(FirstUses.asClaimed()))
        .containsExactly(
            new Claim(SPACE, "<= 3.0x", "2.5x (30.0 ms)", true),
            new Claim(PAGE, "<= 3.0x", "3.0x (36.0 ms)", true),
            new Claim(SPACE + ", with an AOT cache", "<= 3.0x", "1.9x (7.5 ms)", true),
            new Claim(PAGE + ", with an AOT cache", "<= 3.0x", "2.3x (9.0 ms)", true));
  }

  @Test
  void slowerOnes_areNotReached() {
    assertThat(FirstUseClaims.of(FirstUses.measurement(36, 120, false)))
        .containsExactly(
            new Claim(SPACE, "<= 3.0x", "3.0x (36.0 ms)", true),
            new Claim(PAGE, "<= 3.0x", "10.0x (120.0 ms)", false));
  }

  @Test
  void figuresThatAreMissing_claimNothing() {
    FirstUseMeasurement all = FirstUses.asClaimed();
    List<FirstUseResult> others =
        all.results().stream()
            .filter(result -> result.subject() != FirstUseSubject.JDK_CONFINED)
            .toList();

    assertThat(FirstUseClaims.of(new FirstUseMeasurement(all.plan(), others, List.of(), List.of())))
        .isEmpty();
  }
}
