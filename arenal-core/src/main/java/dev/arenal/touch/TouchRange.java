package dev.arenal.touch;

/**
 * Whole OS pages, side by side.
 *
 * @param address of the first page
 * @param sizeBytes positive
 */
public record TouchRange(long address, long sizeBytes) {
  long end() {
    return address + sizeBytes;
  }

  /** Whether all of a part is in it. */
  boolean contains(TouchPart part) {
    return part.address() >= address && part.address() + part.sizeBytes() <= end();
  }
}
