package dev.arenal.touch;

import org.jspecify.annotations.Nullable;

/**
 * The memory that is to be touched, as its owner provides it.
 *
 * <p>The thread that gets a piece from {@link #next} touches it and calls {@link #settle}; before
 * it claims another one, callbacks of the program may run, with nothing in hand. {@link #next} and
 * {@link #settle} are called by one thread at a time, with no lock of the owner held; {@link
 * #touch} by many.
 */
public interface TouchSource {
  /**
   * Claims the next piece.
   *
   * @param mostBytes the piece may not be larger; some MiB
   * @return null where nothing is left
   * @throws OutOfMemoryError if budget or kernel refuse, which ends the run as a failure
   */
  @Nullable TouchPiece next(long mostBytes);

  /**
   * Asks others for memory where {@link #next} has failed for want of it, as a budget asks its
   * reclaimers. They are the program's code: this is called with no lock held, by any number of
   * threads.
   *
   * @return whether {@link #next} may be asked once more
   */
  default boolean makeRoom() {
    return false;
  }

  /**
   * Touches a piece. An implementation may hold a lock that keeps the piece accessible, since the
   * toucher runs no callbacks.
   *
   * @return 0, or a negative errno
   */
  default int touch(TouchPiece piece, Toucher toucher) {
    return toucher.touch(piece.address(), piece.sizeBytes());
  }

  /**
   * Ends the claim of a piece, whether or not all of it is resident. After a failure {@link #undo}
   * follows, which gives the memory back.
   */
  void settle(TouchPiece piece);

  /**
   * Undoes a run that has failed: gives back all memory of it that has not been taken since. Should
   * throw nothing, since an error here hides the failure of the run.
   */
  void undo();

  /**
   * The range around a piece in which pages may be huge as well, since all of it belongs to the
   * source, or is unused. The larger the better: telling the kernel stops all threads that touch.
   * Called under the same rules as {@link #next}, right after it.
   */
  default TouchPiece hugeRange(TouchPiece piece) {
    return piece;
  }

  /**
   * Whether memory that goes back and comes again shall have small pages where huge ones were asked
   * for: otherwise the kernel brings 2 MiB where one page was touched.
   */
  default boolean wantsSmallPagesLater() {
    return true;
  }
}
