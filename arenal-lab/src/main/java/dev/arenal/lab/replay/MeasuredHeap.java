package dev.arenal.lab.replay;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The one heap that this process measures, behind constants: a replay runs in a process of its own,
 * and the compiler turns a call into a jump to the heap's function.
 */
final class MeasuredHeap {
  private static @Nullable NativeHeap chosen;

  private MeasuredHeap() {}

  /** Chooses the heap, before anything was taken from one. The C library's is the default. */
  static synchronized void choose(NativeHeap heap) {
    if (chosen != null) {
      throw new IllegalStateException(
          "heap is chosen already: heap=%s (asked for %s)"
              .formatted(chosen.kind().label(), heap.kind().label()));
    }
    chosen = heap;
  }

  private static synchronized NativeHeap chosenOrDefault() {
    NativeHeap heap = chosen == null ? GlibcHeap.open() : chosen;
    chosen = heap;
    return heap;
  }

  /** The heap itself, for all but its two calls. */
  static NativeHeap heap() {
    return Calls.HEAP;
  }

  /** The same, or an error if this process measures another one. */
  static NativeHeap heap(AllocatorKind kind) {
    NativeHeap heap = Calls.HEAP;
    if (heap.kind() != kind) {
      throw new IllegalStateException(
          "this process measures another heap: heap=%s (asked for %s)"
              .formatted(heap.kind().label(), kind.label()));
    }
    return heap;
  }

  static long malloc(long sizeBytes) {
    long address;
    try {
      address = (long) Calls.MALLOC.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (address == 0) {
      throw new OutOfMemoryError(
          "%s has no memory: sizeBytes=%d".formatted(heap().kind().label(), sizeBytes));
    }
    return address;
  }

  static void free(long address) {
    try {
      Calls.FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Set when first used, which is after the choice. */
  private static final class Calls {
    static final NativeHeap HEAP = chosenOrDefault();
    static final MethodHandle MALLOC = HEAP.malloc();
    static final MethodHandle FREE = HEAP.free();
  }
}
