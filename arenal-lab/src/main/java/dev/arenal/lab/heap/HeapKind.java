package dev.arenal.lab.heap;

import dev.arenal.lab.result.Labelled;
import org.jspecify.annotations.Nullable;

/** The heaps in the manner of malloc that can be measured. */
public enum HeapKind implements Labelled {
  /** The C library's. */
  MALLOC,
  /** jemalloc, where it is installed. */
  JEMALLOC,
  /** mimalloc, where it is installed. */
  MIMALLOC;

  /** The heap of that name; null if there is none. */
  public static @Nullable HeapKind ofLabel(String label) {
    for (HeapKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    return null;
  }

  /** Whether it is in a library that a machine has or has not. */
  public boolean isLibrary() {
    return this != MALLOC;
  }

  /** Whether its library cannot be opened late, and so becomes the heap of the whole process. */
  public boolean isPreloaded() {
    return this == JEMALLOC;
  }
}
