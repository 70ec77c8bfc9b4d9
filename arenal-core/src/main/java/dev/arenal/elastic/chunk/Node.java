package dev.arenal.elastic.chunk;

import dev.arenal.reserve.Reservation;

/** One reserved mapping of a space: a row of root chunks, taken into use from the low end. */
public final class Node {
  public final Reservation reservation;
  public final int firstRoot;
  public final int capacityRoots;
  public int usedRoots;

  Node(Reservation reservation, int firstRoot) {
    this.reservation = reservation;
    this.firstRoot = firstRoot;
    this.capacityRoots = Math.toIntExact(Math.ceilDiv(reservation.sizeBytes(), Chunk.ROOT_BYTES));
  }

  /** Whether one of its roots is in use: they are taken into use in order. */
  boolean isUsed(int root) {
    return root < firstRoot + usedRoots;
  }

  public boolean contains(long address) {
    return address >= reservation.baseAddress() && address < reservation.endAddress();
  }

  long rootOffsetBytes(int root) {
    return (long) (root - firstRoot) << Chunk.ROOT_SHIFT;
  }

  public long offsetBytes(long handle) {
    return rootOffsetBytes(Chunk.root(handle)) + Chunk.offsetBytes(handle);
  }

  public long address(long handle) {
    return reservation.baseAddress() + offsetBytes(handle);
  }

  /** Bytes in the roots that are in use. */
  public long usedBytes() {
    return Math.min(reservation.sizeBytes(), (long) usedRoots << Chunk.ROOT_SHIFT);
  }

  public boolean isFull() {
    return usedRoots == capacityRoots;
  }

  /** The root in which an offset lies. */
  public int rootAt(long offsetBytes) {
    return firstRoot + (int) (offsetBytes >>> Chunk.ROOT_SHIFT);
  }

  /** The unit of its root in which an offset lies. */
  public int unitAt(long offsetBytes) {
    return (int) (offsetBytes >>> Chunk.UNIT_SHIFT) & (Chunk.ROOT_UNITS - 1);
  }

  /**
   * Level of the largest chunk that may start at an offset, lies in one around it, and is not
   * larger than a given size.
   */
  public int levelAt(long offsetBytes, int levelAround, long mostBytes) {
    long alignedBytes =
        Math.min(Chunk.ROOT_BYTES, Long.lowestOneBit(offsetBytes | Chunk.ROOT_BYTES));
    long sizeBytes = Math.min(alignedBytes, Long.highestOneBit(mostBytes));
    return Math.max(levelAround, Chunk.levelFor(sizeBytes));
  }

  /** Units of the root that lie in the reservation: all but for the last root of a fixed space. */
  public int unitCount(int root) {
    long rest = reservation.sizeBytes() - rootOffsetBytes(root);
    return (int) Math.min(Chunk.ROOT_UNITS, rest >>> Chunk.UNIT_SHIFT);
  }
}
