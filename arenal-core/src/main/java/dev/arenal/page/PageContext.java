package dev.arenal.page;

import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.SpanTable;

/** Settings and services that the heaps of one allocator share. */
record PageContext(
    String name,
    boolean isZeroed,
    boolean isChecked,
    boolean isRefillSynchronized,
    long osPageBytes,
    PageSupply supply,
    StallQueue stalls,
    SpanTable spans,
    Racks racks,
    HoleDiscards discards) {
  /** Refuses what no allocator can have. */
  void requirePossible(long sizeBytes, long alignmentBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "size is negative: allocator="
              + name
              + ", sizeBytes="
              + sizeBytes
              + " (expected 0 or more)");
    }
    if (alignmentBytes < 1
        || alignmentBytes > PageSupply.GRANULE_BYTES
        || (alignmentBytes & (alignmentBytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "alignment is not possible: allocator="
              + name
              + ", alignmentBytes="
              + alignmentBytes
              + " (expected a power of two from 1 to "
              + PageSupply.GRANULE_BYTES
              + ")");
    }
  }
}
