package dev.arenal.pretouch;

/** A listener for the progress of a pretouch. */
@FunctionalInterface
public interface PretouchProgress {
  /**
   * Reports how much is done. Called by one thread at a time, not always the same, some fifty times
   * a second and at the end. An exception that it throws ends the pretouch, which then gives back
   * the memory that it took.
   *
   * @param doneBytes resident now
   * @param totalBytes bytes to be touched, more than 0; at the end what was touched, which may be
   *     less than was announced. There is no call if there was nothing to touch
   */
  void touched(long doneBytes, long totalBytes);
}
