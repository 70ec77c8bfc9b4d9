package dev.arenal.stats.recorder;

import dev.arenal.stats.StatisticsMXBean;
import java.util.concurrent.locks.ReentrantLock;

/** What tests of all packages at once may do with statistics that programs may not. */
public final class StatisticsAccess {
  private StatisticsAccess() {}

  /** A bean as the server of beans has it, registered nowhere. */
  public static StatisticsMXBean bean(StatisticsRecorder recorder) {
    return new StatisticsBean(recorder);
  }

  /** The lock of the list of all recorders. */
  public static ReentrantLock lock() {
    return SamplingThread.LOCK;
  }
}
