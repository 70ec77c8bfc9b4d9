package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When, and how much: without a supply, and without a clock. */
final class UncommitCycleTest {
  private static final long SECOND = 1_000_000_000L;

  private final UncommitCycle cycle = new UncommitCycle(10 * SECOND, 1280);
  private int cached = 100;

  @Test
  void nineTenthsOfWhatWasIdle_goInChunksOverTheNextDelay() {
    assertThat(tick(5, 1000)).isZero();
    assertThat(tick(14, 1000)).isZero();
    assertThat(tick(15, 1000)).isEqualTo(10);
    assertThat(tick(16, 1000)).isZero();
    assertThat(tick(17, 1000)).isEqualTo(10);
    assertThat(tick(23.8, 1000)).isEqualTo(60);
    assertThat(tick(23.9, 1000)).isEqualTo(10);
    assertThat(tick(24.9, 1000)).isZero();
    assertThat(cached).isEqualTo(10);
    assertThat(tick(25, 1000)).isEqualTo(9);
    assertThat(tick(35, 1000)).isEqualTo(1);
    assertThat(tick(45, 1000)).isZero();
  }

  @Test
  void lowestLevelInTheDelay_counts() {
    assertThat(tick(0, 1000)).isZero();
    cycle.noteCached(20);
    assertThat(tick(10, 1000)).isEqualTo(10);
    assertThat(tick(20, 1000)).isEqualTo(8);
  }

  @Test
  void memoryTakenDuringTheCycle_isNotIdle() {
    assertThat(tick(0, 1000)).isZero();
    assertThat(tick(10, 1000)).isEqualTo(10);
    cycle.noteCached(5);
    assertThat(tick(19, 1000)).isEqualTo(5);
  }

  @Test
  void floor_endsTheCycle() {
    assertThat(tick(0, 15)).isZero();
    assertThat(tick(10, 15)).isEqualTo(10);
    assertThat(tick(15, 5)).isEqualTo(5);
    assertThat(tick(19, 0)).isZero();
    assertThat(tick(30, 0)).isZero();
  }

  @Test
  void cancel_waitsForAnotherDelay() {
    assertThat(tick(0, 1000)).isZero();
    assertThat(tick(10, 1000)).isEqualTo(10);
    cycle.cancel();
    assertThat(tick(12, 1000)).isZero();
    assertThat(tick(21.9, 1000)).isZero();
    assertThat(tick(22, 1000)).isEqualTo(10);
  }

  @Test
  void clockMayBeginAnywhere() {
    long start = Long.MAX_VALUE - 5 * SECOND;
    assertThat(cycle.due(start, cached, 1000)).isZero();
    assertThat(cycle.due(start + 9 * SECOND, cached, 1000)).isZero();
    assertThat(cycle.due(start + 10 * SECOND, cached, 1000)).isEqualTo(10);
  }

  private int tick(double seconds, int spareGranules) {
    int due = cycle.due((long) (seconds * SECOND), cached, spareGranules);
    cached -= due;
    cycle.noteCached(cached);
    return due;
  }
}
