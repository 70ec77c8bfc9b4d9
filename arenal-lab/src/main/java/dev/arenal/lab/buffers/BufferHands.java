package dev.arenal.lab.buffers;

import dev.arenal.lab.medium.Latencies;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The hands of one thread: they take buffers, mark them, look whether they are whole, and free
 * them.
 */
final class BufferHands {
  private static final double P999 = 99.9;

  private final BufferPeer peer;
  private final PeerKind kind;
  private final boolean isChecked;
  private final int[] sizes;
  private final int threadCount;
  private final Histogram allocationNanos = Latencies.empty();
  private final int timedMask;
  private int takenCount;
  private int nextSize;
  private int number;
  private long allocatedBytes;
  private long freedBytes;
  private long freedCount;

  /**
   * Hands of one thread of several.
   *
   * @param kind of the peer; marks are not checked for the harness alone, whose buffers overlap
   * @param sizes drawn ahead; each thread begins at another place
   * @param timedEvery one allocation in so many is timed; a power of two
   */
  BufferHands(BufferPeer peer, PeerKind kind, int[] sizes, Seat seat, int timedEvery) {
    this.timedMask = timedEvery - 1;
    this.peer = peer;
    this.kind = kind;
    this.isChecked = kind != PeerKind.NONE;
    this.sizes = sizes;
    this.threadCount = seat.threadCount();
    this.number = seat.thread();
    this.nextSize = (int) ((long) sizes.length * seat.thread() / seat.threadCount());
  }

  /** How many sizes were drawn. */
  int sizeCount() {
    return sizes.length;
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
    number += threadCount;
    long address =
        (takenCount++ & timedMask) == 0
            ? allocateTimed(slots, sizeBytes)
            : peer.allocate(slots, slots.next(), sizeBytes);
    Marks.write(address, tag);
    slots.add(address, tag);
    allocatedBytes += sizeBytes;
  }

  private long allocateTimed(Slots slots, int sizeBytes) {
    long start = System.nanoTime();
    long address = peer.allocate(slots, slots.next(), sizeBytes);
    Latencies.add(allocationNanos, System.nanoTime() - start);
    return address;
  }

  /** Forgets the times until now. */
  void forgetTimes() {
    allocationNanos.reset();
  }

  /** The time that one allocation in a thousand is longer than; of the bare call alone. */
  static long p999AllocationNanos(Stream<BufferHands> hands) {
    Histogram all = Latencies.empty();
    hands.forEach(one -> all.add(one.allocationNanos));
    return all.getValueAtPercentile(P999);
  }

  /** Frees the buffer with that index and closes the gap. */
  void free(Slots slots, int index) {
    long address = slots.address(index);
    long tag = slots.tag(index);
    if (isChecked && !Marks.areWhole(address, tag)) {
      throw Marks.broken(kind, address, tag);
    }
    peer.free(slots, index);
    freedBytes += (int) tag;
    freedCount++;
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

  long freedCount() {
    return freedCount;
  }
}
