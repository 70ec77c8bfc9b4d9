package dev.arenal.lab.heap;

import java.lang.invoke.MethodHandle;

/**
 * Heaps of mimalloc, each for the blocks of one owner, behind constants as {@link MeasuredHeap}. A
 * heap that is destroyed frees all of its blocks at once.
 *
 * <p>Only the thread that opened a heap may take blocks from it or destroy it. The process measures
 * mimalloc.
 */
public final class OwnerHeaps {
  private static final MimallocHeap MIMALLOC = (MimallocHeap) MeasuredHeap.heap(HeapKind.MIMALLOC);
  private static final MethodHandle OPEN = MIMALLOC.openOwner;
  private static final MethodHandle MALLOC = MIMALLOC.ownerMalloc;
  private static final MethodHandle DESTROY = MIMALLOC.destroyOwner;

  private OwnerHeaps() {}

  /** Another heap, by its address. */
  public static long open() {
    long heap;
    try {
      heap = (long) OPEN.invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (heap == 0) {
      throw new OutOfMemoryError("mimalloc has no memory for another heap");
    }
    return heap;
  }

  /** A block of a heap; {@link MeasuredHeap#free} gives it back early. */
  public static long malloc(long heap, long sizeBytes) {
    long address;
    try {
      address = (long) MALLOC.invokeExact(heap, sizeBytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (address == 0) {
      throw new OutOfMemoryError("mimalloc has no memory: sizeBytes=" + sizeBytes);
    }
    return address;
  }

  /** Frees a heap and all of its blocks. */
  public static void destroy(long heap) {
    try {
      DESTROY.invokeExact(heap);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
