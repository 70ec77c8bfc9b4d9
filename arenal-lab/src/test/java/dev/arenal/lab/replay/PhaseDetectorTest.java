package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.replay.Phases.Phase;
import org.junit.jupiter.api.Test;

final class PhaseDetectorTest {
  @Test
  void findsPeakValleySecondPeakAndEnd() {
    Phases phases = phases(10, 100, 40, 20, 60, 150, 0);

    assertThat(phases)
        .isEqualTo(new Phases(phase(2, 100), phase(4, 20), phase(6, 150), phase(7, 0)));
  }

  @Test
  void emptyTrace_hasOnlyItsEnd() {
    assertThat(phases()).isEqualTo(new Phases(phase(0, 0), null, null, phase(0, 0)));
  }

  @Test
  void usedThatOnlyRises_peaksAtItsMaximumAndHasNoValley() {
    assertThat(phases(10, 20, 30)).isEqualTo(new Phases(phase(3, 30), null, null, phase(3, 30)));
  }

  @Test
  void fallOfExactlyATenth_isNoPeakYet() {
    assertThat(phases(100, 90, 120))
        .isEqualTo(new Phases(phase(3, 120), null, null, phase(3, 120)));
  }

  @Test
  void fallOfMoreThanATenth_endsThePeak() {
    assertThat(phases(100, 89, 120))
        .isEqualTo(new Phases(phase(1, 100), phase(2, 89), phase(3, 120), phase(3, 120)));
  }

  @Test
  void fallInSmallSteps_countsFromTheMaximum() {
    assertThat(phases(100, 95, 90, 85).valley()).isEqualTo(phase(4, 85));
  }

  @Test
  void riseOfExactlyATenthOfThePeak_leavesTheValleyOpen() {
    assertThat(phases(100, 50, 60, 40, 200))
        .isEqualTo(new Phases(phase(1, 100), phase(4, 40), phase(5, 200), phase(5, 200)));
  }

  @Test
  void usedThatNeverRisesAgain_hasNoSecondPeak() {
    assertThat(phases(100, 50, 10, 0))
        .isEqualTo(new Phases(phase(1, 100), phase(4, 0), null, phase(4, 0)));
  }

  @Test
  void ofEqualFigures_peakIsTheFirstAndValleyTheLast() {
    assertThat(phases(100, 100, 20, 20, 20, 50))
        .isEqualTo(new Phases(phase(1, 100), phase(5, 20), phase(6, 50), phase(6, 50)));
  }

  @Test
  void laterPeaks_areNotLookedAt() {
    assertThat(phases(100, 10, 50, 10, 500, 10))
        .isEqualTo(new Phases(phase(1, 100), phase(2, 10), phase(3, 50), phase(6, 10)));
  }

  @Test
  void hugeFigures_doNotOverflow() {
    long exbibyte = 1L << 59;
    PhaseDetector detector = new PhaseDetector();
    detector.accept(1, exbibyte, 1);
    detector.accept(2, exbibyte - 1, 1);

    assertThat(detector.phases().valley()).isNull();
  }

  private static Phases phases(long... usedBytes) {
    PhaseDetector detector = new PhaseDetector();
    for (int i = 0; i < usedBytes.length; i++) {
      detector.accept(i + 1, usedBytes[i], 0);
    }
    return detector.phases();
  }

  private static Phase phase(long operation, long usedBytes) {
    return new Phase(operation, usedBytes, 0);
  }
}
