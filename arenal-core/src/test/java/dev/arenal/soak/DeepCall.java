package dev.arenal.soak;

import org.jspecify.annotations.Nullable;

/** Calls something so many frames before the end of the stack of the current thread. */
final class DeepCall {
  private @Nullable Runnable operation;
  private int framesLeft;
  private boolean isOver;
  private @Nullable Throwable thrown;

  /** Calls it and returns the exception, or null. */
  @Nullable Throwable run(int frames, Runnable what) {
    operation = what;
    framesLeft = frames;
    isOver = false;
    thrown = null;
    var _ = descend();
    operation = null;
    return thrown;
  }

  /** Descends to the end and, on the way back, calls it where so many frames are left. */
  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private int descend() {
    int below;
    try {
      below = descend();
    } catch (StackOverflowError e) {
      return 0;
    }
    Runnable what = operation;
    if (below == framesLeft && !isOver && what != null) {
      isOver = true;
      try {
        what.run();
      } catch (Throwable e) {
        thrown = e; // no call here
      }
    }
    return below + 1;
  }
}
