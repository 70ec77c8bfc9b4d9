package dev.arenal.lab.heap;

import dev.arenal.lab.result.Labelled;
import org.jspecify.annotations.Nullable;

/** An allocator of an experiment, as far as heaps matter to it. */
public interface HeapUser extends Labelled {
  /** The heap that its blocks come from, if they do; of the same name by default. */
  default @Nullable HeapKind heap() {
    return HeapKind.ofLabel(label());
  }

  /** Why it cannot run here, whatever is installed; null if it can. */
  default @Nullable String missing() {
    return null;
  }

  /** Whether its heap is in a library that a machine has or has not. */
  default boolean isLibrary() {
    HeapKind heap = heap();
    return heap != null && heap.isLibrary();
  }
}
