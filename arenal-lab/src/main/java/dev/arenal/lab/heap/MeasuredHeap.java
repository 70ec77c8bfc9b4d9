package dev.arenal.lab.heap;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The one heap that this process measures, behind constants: each runs in a process of its own, and
 * the compiler turns a call into a jump to the heap's function.
 */
public final class MeasuredHeap {
  private static @Nullable NativeHeap chosen;

  private MeasuredHeap() {}

  /**
   * Chooses a heap that is in a library, before anything was taken from one. The C library's is the
   * default.
   */
  public static synchronized void choose(HeapKind kind, Path library) throws IOException {
    if (chosen != null) {
      throw new IllegalStateException(
          "heap is already chosen: heap=%s (asked for %s)"
              .formatted(chosen.kind.label(), kind.label()));
    }
    chosen = kind == HeapKind.JEMALLOC ? JemallocHeap.open(library) : MimallocHeap.open(library);
  }

  private static synchronized NativeHeap chosenOrDefault() {
    NativeHeap heap = chosen == null ? GlibcHeap.open() : chosen;
    chosen = heap;
    return heap;
  }

  /** Whether the C library gives back what is free in its heap when it is asked to. */
  public static boolean canTrimMalloc() {
    return GlibcHeap.canTrim();
  }

  /** Has the C library give back what is free in its heap, whichever heap is measured. */
  public static void settleMalloc() {
    GlibcHeap.open().settle();
  }

  /** The heap itself, for all but its two calls. */
  public static NativeHeap heap() {
    return Calls.HEAP;
  }

  /** The same, or an error if this process measures another one. */
  public static NativeHeap heap(HeapKind kind) {
    NativeHeap heap = Calls.HEAP;
    if (heap.kind != kind) {
      throw new IllegalStateException(
          "this process measures another heap: heap=%s (asked for %s)"
              .formatted(heap.kind.label(), kind.label()));
    }
    return heap;
  }

  /** A block from it. */
  public static long malloc(long sizeBytes) {
    long address;
    try {
      address = (long) Calls.MALLOC.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (address == 0) {
      throw new OutOfMemoryError(
          "%s has no memory: sizeBytes=%d".formatted(heap().kind.label(), sizeBytes));
    }
    return address;
  }

  /** Gives a block back. */
  public static void free(long address) {
    try {
      Calls.FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Set when first used, which is after the choice. */
  private static final class Calls {
    static final NativeHeap HEAP = chosenOrDefault();
    static final MethodHandle MALLOC = HEAP.malloc;
    static final MethodHandle FREE = HEAP.free;
  }
}
