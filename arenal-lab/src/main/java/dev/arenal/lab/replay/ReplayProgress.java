package dev.arenal.lab.replay;

/** Is told what a replay is doing while it takes its time. */
@FunctionalInterface
public interface ReplayProgress {
  /**
   * A step has begun, or still goes on.
   *
   * @param trace the trace
   * @param step what is being done
   * @param seconds for how long
   */
  void at(String trace, String step, long seconds);
}
