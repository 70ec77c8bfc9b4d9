package dev.arenal.pretouch;

/** A listener for the progress of a pretouch. */
@FunctionalInterface
public interface PretouchProgress {
  /**
   * Reports progress. Called by one thread at a time, not always the same, some fifty times a
   * second and at the end; not called if there is nothing to touch. An exception that it throws
   * ends the pretouch, which then gives back the memory that it took.
   *
   * @param doneBytes bytes touched so far
   * @param totalBytes bytes to be touched, more than 0; at the end the bytes that were touched,
   *     which may be fewer than announced
   */
  void touched(long doneBytes, long totalBytes);
}
