package dev.arenal.touch;

/**
 * Whole OS pages that are made resident in one go.
 *
 * @param address of the first page
 * @param sizeBytes positive
 */
public record TouchPiece(long address, long sizeBytes) {
  /** Whether all of another one is in this. */
  boolean contains(TouchPiece other) {
    return other.address >= address && other.address + other.sizeBytes <= address + sizeBytes;
  }
}
