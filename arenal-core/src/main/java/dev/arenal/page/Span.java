package dev.arenal.page;

/**
 * Memory of a page in equal steps, of which buffers have one or several: the slots of a {@link
 * Run}, or the units of a {@link HeapPage}.
 */
abstract class Span {
  final LockedHeap heap;

  /** Where the first step begins. */
  final long address;

  /** Size of a step. */
  final int stepBytes;

  /** Where the {@link SpanTable} has it; -1 if it has not. Guarded by the lock of the heap. */
  int id = -1;

  Span(LockedHeap heap, long address, int stepBytes) {
    this.heap = heap;
    this.address = address;
    this.stepBytes = stepBytes;
  }

  /** The page that it is, or lies in. */
  abstract HeapPage page();

  /** Of a buffer of so many steps: where {@link Racks} have it when it is free, or -1. */
  abstract int magazineOf(int count);

  /**
   * Whether slots or units are not free; the lock of the heap is held, or the heap is not in use.
   */
  abstract boolean isInUse(int from, int count);

  /** A buffer in it. */
  final PageBuffer buffer(int from, int count, long address, long sizeBytes, boolean mustZero) {
    long piece = Magazine.piece(id, from, count, false);
    return new PageBuffer(
        heap.context, piece, magazineOf(count), address, sizeBytes, mustZero ? PageBuffer.ZERO : 0);
  }

  /** Where a slot or unit begins. */
  final long addressOf(int step) {
    return address + (long) step * stepBytes;
  }
}
