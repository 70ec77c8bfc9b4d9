package dev.arenal.stats;

import java.util.function.LongSupplier;

/** The rows of one allocator, sampled once a second. */
public final class StatisticsRecorder implements AutoCloseable {
  StatisticsRecorder() {}

  /** Opens the statistics of an allocator of that kind ("PageAllocator") and name. */
  public static StatisticsRecorder open(String kind, String name) {
    return new StatisticsRecorder();
  }

  /** A row that counts. */
  public Counter counter(String group, String row, StatisticsUnit unit) {
    return new Counter();
  }

  /** A row whose owner counts by itself: the total ever is asked for once a second. */
  public void counter(String group, String row, StatisticsUnit unit, LongSupplier total) {}

  /** A row of values. */
  public Sampler sampler(String group, String row, StatisticsUnit unit) {
    return new Sampler();
  }

  @Override
  public void close() {}
}
