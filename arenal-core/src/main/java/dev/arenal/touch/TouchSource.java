package dev.arenal.touch;

import dev.arenal.OutOfNativeMemoryError;
import org.jspecify.annotations.Nullable;

/** The memory that is to be touched, part by part, as its owner provides it. */
public interface TouchSource {
  /**
   * Claims the next part. Called by one thread at a time, with no lock of the owner held.
   *
   * @param mostBytes the part may not be larger, unless a granule of the owner is; some MiB
   * @return null where nothing is left
   * @throws OutOfNativeMemoryError if budget or kernel refuse: it is asked once more where {@link
   *     #makeRoom} helps. That, and any other error, ends the run as a failure
   */
  @Nullable TouchPart next(long mostBytes);

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
   * Undoes a run that has failed: gives back all memory of it that has not been taken since. Should
   * throw nothing, since an error here hides the failure of the run.
   */
  void undo();

  /**
   * Whether memory that goes back and comes again shall have small pages where huge ones were asked
   * for: otherwise the kernel brings 2 MiB where one page was touched.
   */
  default boolean wantsSmallPagesLater() {
    return true;
  }
}
