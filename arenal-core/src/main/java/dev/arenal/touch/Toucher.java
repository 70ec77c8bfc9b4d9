package dev.arenal.touch;

/** Makes a range of accessible OS pages resident, without a change of their contents. */
@FunctionalInterface
public interface Toucher {
  /**
   * Touches it.
   *
   * @return 0, or a negative errno: some of it is resident then
   */
  int touch(long address, long sizeBytes);
}
