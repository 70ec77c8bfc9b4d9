package dev.arenal.lab.process;

/** Is told the current step, to show it on the terminal. */
@FunctionalInterface
public interface Watcher {
  /**
   * A step has begun, or still goes on.
   *
   * @param what the experiment, or the part of it
   * @param step what is being done
   * @param seconds for how long
   */
  void at(String what, String step, long seconds);
}
