package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GrowthHistoryTest {
  @Test
  void steps_areALadderWithoutGaps() {
    for (int step = 0; step < 80; step++) {
      long size = GrowthHistory.sizeOf(step);
      assertThat(GrowthHistory.stepOf(size)).isEqualTo(step);
      assertThat(GrowthHistory.sizeOf(step + 1)).isGreaterThan(size);
      assertThat(GrowthHistory.stepOf(GrowthHistory.sizeOf(step + 1) - 1)).isEqualTo(step);
    }
    assertThat(GrowthHistory.sizeOf(0)).isZero();
    assertThat(GrowthHistory.sizeOf(1)).isEqualTo(256);
    assertThat(GrowthHistory.sizeOf(4)).isEqualTo(1024);
    assertThat(GrowthHistory.sizeOf(8)).isEqualTo(2048);
  }

  @Test
  void littleKnown_expectsNothing() {
    GrowthHistory history = new GrowthHistory(4096);
    assertThat(history.expectedBytes(100)).isEqualTo(GrowthHistory.UNBOUNDED);
    growTo(history, 600, 7);
    assertThat(history.expectedBytes(100)).isEqualTo(GrowthHistory.UNBOUNDED);
  }

  @Test
  void expectation_isWhatHalfDoNotExceed() {
    GrowthHistory history = new GrowthHistory(4096);
    growTo(history, 600, 30);
    growTo(history, 3000, 10);
    assertThat(history.expectedBytes(100)).isBetween(600L, 768L);
    assertThat(history.expectedBytes(1100)).isBetween(3000L, 3072L + 512);
    assertThat(history.expectedBytes(1 << 20)).isEqualTo(GrowthHistory.UNBOUNDED);
  }

  @Test
  void expectation_isNeverLessThanWhatIsThere() {
    GrowthHistory history = new GrowthHistory(65536);
    growTo(history, 200_000, 100);
    growTo(history, 700, 100);
    for (long size = 1; size < 300_000; size += 97) {
      assertThat(history.expectedBytes(size)).isGreaterThanOrEqualTo(size);
    }
  }

  @Test
  void oldArenas_areForgotten() {
    GrowthHistory history = new GrowthHistory(4096);
    growTo(history, 10_000, 1000);
    growTo(history, 300, 3000);
    assertThat(history.expectedBytes(100)).isLessThanOrEqualTo(512);
  }

  private static void growTo(GrowthHistory history, long sizeBytes, int countArenas) {
    for (int arena = 0; arena < countArenas; arena++) {
      int last = Math.min(GrowthHistory.stepOf(sizeBytes), history.countSteps() - 1);
      for (int step = 0; step <= last; step++) {
        history.noteReachedOpaque(step);
      }
    }
  }
}
