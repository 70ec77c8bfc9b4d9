package dev.arenal.page;

/** Temporary. */
final class PageMemory {
  final long address;
  final long sizeBytes;
  final boolean isZero;

  PageMemory(long address, long sizeBytes, boolean isZero) {
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.isZero = isZero;
  }
}
