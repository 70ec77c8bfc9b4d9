package dev.arenal.stats.recorder;

import dev.arenal.stats.StatisticsMXBean;

/** What tests of all packages at once may do with statistics that programs may not. */
public final class StatisticsAccess {
  private StatisticsAccess() {}

  /** A bean as the server of beans has it, registered nowhere. */
  public static StatisticsMXBean bean(StatisticsRecorder recorder) {
    return new StatisticsBean(recorder);
  }
}
