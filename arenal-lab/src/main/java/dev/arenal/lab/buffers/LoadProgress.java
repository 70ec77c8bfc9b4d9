package dev.arenal.lab.buffers;

/** Told what is being measured, for a person who waits. */
@FunctionalInterface
public interface LoadProgress {
  /**
   * One step goes on.
   *
   * @param step what it is
   * @param seconds since it began
   */
  void at(String step, long seconds);
}
