package dev.arenal.lab.heap;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A heap in the manner of malloc: the two calls that are measured, and what it tells of itself.
 *
 * <p>Everything but the two calls may be slow.
 */
public interface NativeHeap {
  /** A figure that this heap cannot tell. */
  long UNKNOWN = -1;

  /** Which one it is. */
  HeapKind kind();

  /** The call that takes a block: {@code (long) long}. */
  MethodHandle malloc();

  /** The call that gives it back: {@code (long) void}. */
  MethodHandle free();

  /** Name and version in its own words, such as {@code jemalloc 5.3.0-0-g54eaed1d}. */
  String library();

  /**
   * Makes sure, with a block from {@link #malloc}, that it is this heap which hands it out.
   *
   * @throws WrongHeapException if another heap does
   */
  void prove() throws IOException;

  /** Gives the calling thread memory of its own, so that no other thread's blocks lie in it. */
  default void enterThread() {}

  /** How long it says that it keeps free memory; null if it says nothing of it, or for ever. */
  default @Nullable Duration decay() {
    return null;
  }

  /** Whether a thread of its own gives memory back, without a call of the program. */
  default boolean hasThread() {
    return false;
  }

  /** Gives back what is free, so that nothing of it goes by itself while others are measured. */
  void settle();

  /** The bytes it holds from the operating system, or {@link #UNKNOWN}. */
  long heldBytes();
}
