package dev.arenal.lab.heap;

import org.jspecify.annotations.Nullable;

/** An allocator of an experiment, as far as heaps matter to it. */
public interface HeapUser {
  /** The name on the command line and in results. */
  String label();

  /** The heap that its blocks come from one by one, if they do; of the same name. */
  default @Nullable HeapKind heap() {
    return HeapKind.ofLabel(label());
  }

  /** Whether its heap is in a library that a machine has or has not. */
  default boolean isLibrary() {
    HeapKind heap = heap();
    return heap != null && heap.isLibrary();
  }
}
