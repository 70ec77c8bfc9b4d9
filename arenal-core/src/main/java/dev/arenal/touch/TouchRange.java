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

  /** Whether all of a piece is in it. */
  boolean contains(TouchPiece piece) {
    return piece.address() >= address && piece.address() + piece.sizeBytes() <= end();
  }
}
