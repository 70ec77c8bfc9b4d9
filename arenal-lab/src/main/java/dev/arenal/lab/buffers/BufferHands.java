package dev.arenal.lab.buffers;

/**
 * The hands of one thread: they take buffers, mark them, look whether they are whole, and free
 * them.
 */
final class BufferHands {
  private final BufferPeer peer;
  private final boolean isChecked;
  private final int[] sizes;
  private final int countThreads;
  private int nextSize;
  private int number;
  private long allocatedBytes;
  private long freedBytes;
  private long countFreed;

  /**
   * Hands of one thread of several.
   *
   * @param sizes drawn ahead; each thread begins at another place
   */
  BufferHands(BufferPeer peer, int[] sizes, Seat seat) {
    this.peer = peer;
    this.isChecked = peer.isExclusive();
    this.sizes = sizes;
    this.countThreads = seat.countThreads();
    this.number = seat.thread();
    this.nextSize = (int) ((long) sizes.length * seat.thread() / seat.countThreads());
  }

  /** The next size of those drawn. */
  int nextSizeBytes() {
    int sizeBytes = sizes[nextSize];
    nextSize = nextSize + 1 == sizes.length ? 0 : nextSize + 1;
    return sizeBytes;
  }

  /** Takes a buffer of that size. */
  void take(Slots slots, int sizeBytes) {
    long tag = Slots.tag(number, sizeBytes);
    number += countThreads;
    long address = peer.allocate(slots, slots.next(), sizeBytes);
    Marks.write(address, tag);
    slots.add(address, tag);
    allocatedBytes += sizeBytes;
  }

  /** Frees the buffer with that index and closes the gap. */
  void free(Slots slots, int index) {
    long address = slots.address(index);
    long tag = slots.tag(index);
    if (isChecked && !Marks.areWhole(address, tag)) {
      throw Marks.broken(peer.kind(), address, tag);
    }
    peer.free(slots, index);
    freedBytes += (int) tag;
    countFreed++;
    slots.remove(index);
  }

  /** Frees them all. */
  void freeAll(Slots slots) {
    while (slots.count() > 0) {
      free(slots, slots.count() - 1);
    }
  }

  /** Bytes it has taken and not freed; below zero where it frees what others took. */
  long balanceBytes() {
    return allocatedBytes - freedBytes;
  }

  long countFreed() {
    return countFreed;
  }
}
