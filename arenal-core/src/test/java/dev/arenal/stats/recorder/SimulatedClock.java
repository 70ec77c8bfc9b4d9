package dev.arenal.stats.recorder;

import java.util.function.LongSupplier;

/** A clock that stands still unless a test moves it. Starts where overflow would show. */
final class SimulatedClock implements LongSupplier {
  private long nowNanos = Long.MAX_VALUE - 5 * StatisticsRecorder.SECOND_NANOS;

  @Override
  public long getAsLong() {
    return nowNanos;
  }

  void advanceNanos(long nanos) {
    nowNanos += nanos;
  }

  void advanceMillis(long millis) {
    nowNanos += millis * 1_000_000;
  }
}
