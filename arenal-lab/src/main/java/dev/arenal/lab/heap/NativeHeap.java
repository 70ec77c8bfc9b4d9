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
public abstract class NativeHeap {
  /** A figure that this heap cannot tell. */
  public static final long UNKNOWN = -1;

  final HeapKind kind;
  final MethodHandle malloc;
  final MethodHandle free;

  NativeHeap(HeapKind kind, HeapSymbols symbols, String malloc, String free) throws IOException {
    this.kind = kind;
    this.malloc = symbols.measured(malloc, 1);
    this.free = symbols.measuredFree(free);
  }

  /** Name and version in its own words, such as {@code jemalloc 5.3.0-0-g54eaed1d}. */
  public abstract String library();

  /**
   * Makes sure, with a block from {@code malloc}, that it is this heap which hands it out.
   *
   * @throws IOException if another heap does
   */
  public abstract void prove() throws IOException;

  /** Gives the calling thread memory of its own, so that no other thread's blocks lie in it. */
  public void enterThread() {}

  /** How long it says that it keeps free memory; null if it says nothing of it, or for ever. */
  public @Nullable Duration decay() {
    return null;
  }

  /** Whether a thread of its own gives memory back, without a call of the program. */
  public boolean hasThread() {
    return false;
  }

  /** Gives back what is free, so that nothing of it goes by itself while others are measured. */
  public abstract void settle();

  /** The bytes it holds from the operating system, or {@link #UNKNOWN}. */
  public abstract long heldBytes();
}
