package dev.arenal.touch;

/**
 * Whole OS pages that are made resident in one go.
 *
 * @param address of the first page
 * @param sizeBytes positive
 */
public record TouchPiece(long address, long sizeBytes) {}
