package dev.arenal.touch;

/**
 * Whole OS pages that one thread has claimed to make them resident in one go: it touches them, and
 * settles. No lock is held in either; callbacks of the program run before and after, with nothing
 * in hand.
 */
public interface TouchPart {
  /** The address of the first page. */
  long address();

  /** Whole OS pages, at least one. */
  long sizeBytes();

  /**
   * Touches it. An implementation may hold a lock that keeps the part accessible, since the toucher
   * runs no callbacks.
   *
   * @return 0, or a negative errno
   */
  default int touch(Toucher toucher) {
    return toucher.touch(address(), sizeBytes());
  }

  /**
   * Ends the claim, whether or not all of it is resident; again, no effect. After a failure {@link
   * TouchSource#undo} follows, which gives the memory back.
   */
  void settle();

  /**
   * The range around it in which pages may be huge as well, since all of it belongs to the source,
   * or is unused. The larger the better: telling the kernel stops all threads that touch. Called
   * under the same rules as {@link TouchSource#next}, right after it.
   */
  default TouchRange hugeRange() {
    return new TouchRange(address(), sizeBytes());
  }
}
