package dev.arenal.supply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When, and how much: without a supply, and without a clock. */
final class UncommitCycleTest {
  private static final long SECOND = 1_000_000_000L;

  private final UncommitCycle cycle = new UncommitCycle(10 * SECOND, 10);
  private long free = 100;

  @Test
  void whatWasIdle_goesInStepsOverTheNextDelay() {
    assertThat(tick(5, 1000)).isZero();
    assertThat(tick(14, 1000)).isZero();
    assertThat(tick(15, 1000)).isEqualTo(10);
    assertThat(tick(15.9, 1000)).isZero();
    assertThat(tick(17, 1000)).isEqualTo(20);
    assertThat(tick(23.8, 1000)).isEqualTo(60);
    assertThat(tick(24, 1000)).isEqualTo(10);
    assertThat(tick(24.9, 1000)).isZero();
    assertThat(free).isZero();
  }

  @Test
  void withoutSteps_allOfItGoesAtOnce() {
    UncommitCycle whole = new UncommitCycle(10 * SECOND, Long.MAX_VALUE);
    whole.watch(0, 1L << 50);
    whole.noteFree(1L << 40);
    assertThat(whole.dueBytes(10 * SECOND - 1, 1L << 50, Long.MAX_VALUE)).isZero();
    assertThat(whole.dueBytes(10 * SECOND, 1L << 50, Long.MAX_VALUE)).isEqualTo(1L << 40);
    assertThat(whole.dueBytes(11 * SECOND, 1L << 50, Long.MAX_VALUE)).isZero();
  }

  @Test
  void rest_isThatOfTheDelayOrOfTheStep() {
    assertThat(cycle.restNanos(0)).isEqualTo(10 * SECOND);
    assertThat(tick(0, 1000)).isZero();
    assertThat(cycle.restNanos(4 * SECOND)).isEqualTo(6 * SECOND);
    assertThat(tick(10, 1000)).isEqualTo(10);
    assertThat(cycle.restNanos(10 * SECOND)).isEqualTo(SECOND);
    assertThat(cycle.restNanos(12 * SECOND)).isEqualTo(1);
  }

  @Test
  void lowestLevelInTheDelay_counts() {
    assertThat(tick(0, 1000)).isZero();
    cycle.noteFree(20);
    assertThat(tick(10, 1000)).isEqualTo(10);
    assertThat(tick(14.9, 1000)).isZero();
    assertThat(tick(15, 1000)).isEqualTo(10);
    assertThat(tick(19, 1000)).isZero();
  }

  @Test
  void memoryTakenDuringTheCycle_isNotIdle() {
    assertThat(tick(0, 1000)).isZero();
    assertThat(tick(10, 1000)).isEqualTo(10);
    cycle.noteFree(5);
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
    assertThat(cycle.dueBytes(start, free, 1000)).isZero();
    assertThat(cycle.dueBytes(start + 9 * SECOND, free, 1000)).isZero();
    assertThat(cycle.dueBytes(start + 10 * SECOND, free, 1000)).isEqualTo(10);
  }

  private long tick(double seconds, long spareBytes) {
    long due = cycle.dueBytes((long) (seconds * SECOND), free, spareBytes);
    free -= due;
    cycle.noteFree(free);
    return due;
  }
}
