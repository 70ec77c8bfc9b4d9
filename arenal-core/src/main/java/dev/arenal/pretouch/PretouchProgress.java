package dev.arenal.pretouch;

/** Is told how far a pretouch is. */
@FunctionalInterface
public interface PretouchProgress {
  /**
   * Reports how much is done. Called by one thread at a time, not always the same, some fifty times
   * a second and at the end. An exception of it ends the pretouch, which gives back what it took.
   *
   * @param doneBytes resident now
   * @param totalBytes what is to be touched
   */
  void touched(long doneBytes, long totalBytes);
}
