package dev.arenal.page;

import dev.arenal.page.granule.PageSupply;

/** The bounds of a request for a buffer. */
final class RequestCheck {
  private RequestCheck() {}

  static void requirePossible(String allocator, long sizeBytes, long alignmentBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "size is negative: allocator=" + allocator + ", sizeBytes=" + sizeBytes);
    }
    if (alignmentBytes < 1
        || alignmentBytes > PageSupply.GRANULE_BYTES
        || (alignmentBytes & (alignmentBytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "alignment is not possible: allocator="
              + allocator
              + ", alignmentBytes="
              + alignmentBytes
              + " (expected a power of two from 1 to "
              + PageSupply.GRANULE_BYTES
              + ")");
    }
  }
}
