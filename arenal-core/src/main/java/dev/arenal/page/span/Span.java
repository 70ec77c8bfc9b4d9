package dev.arenal.page.span;

/**
 * Memory of a page in equal steps, of which buffers have one or several: the slots of a {@link
 * Run}, or the units of a {@link HeapPage}.
 */
public abstract sealed class Span permits HeapPage, Run {
  /** The heap that it belongs to. */
  public final SpanOwner owner;

  /** Where the first step begins. */
  public final long address;

  /** Size of a step. */
  public final int stepBytes;

  /** Where the {@link SpanTable} has it; -1 if it has not. Guarded by the lock of the heap. */
  int id = -1;

  Span(SpanOwner owner, long address, int stepBytes) {
    this.owner = owner;
    this.address = address;
    this.stepBytes = stepBytes;
  }

  /** The number by which the {@link SpanTable} has it, until it is removed; -1 if it has not. */
  public final int id() {
    return id;
  }

  /** The page that it is, or lies in. */
  public abstract HeapPage page();

  /**
   * Whether slots or units are not free; the lock of the heap is held, or the heap is not in use.
   */
  public abstract boolean isInUse(int from, int count);

  /** Where a slot or unit begins. */
  public final long addressOf(int step) {
    return address + (long) step * stepBytes;
  }
}
