package dev.arenal.lab.buffers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * No allocator: each thread goes round a piece of one block of memory that is resident already.
 * Buffers overlap those of the round before and nobody minds. So the time is that of the harness,
 * with the same bytes written as anywhere else.
 */
final class RingPeer implements BufferPeer {
  private static final int ALIGNMENT_BYTES = 16;
  private static final long PAGE_BYTES = 4096;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final long pieceBytes;
  private final ThreadLocal<Ring> rings;
  private int ringCount;

  RingPeer(PeerSettings settings) {
    this.pieceBytes = settings.capacityBytes() / settings.threadCount();
    this.memory = arena.allocate(pieceBytes * settings.threadCount(), PAGE_BYTES);
    this.rings = ThreadLocal.withInitial(this::nextRing);
  }

  /** Makes all of it resident. */
  void touch() {
    for (long offset = 0; offset < memory.byteSize(); offset += PAGE_BYTES) {
      memory.set(ValueLayout.JAVA_BYTE, offset, (byte) 1);
    }
  }

  private synchronized Ring nextRing() {
    long begin = memory.address() + pieceBytes * ringCount;
    ringCount++;
    return new Ring(begin, begin + pieceBytes);
  }

  @Override
  public long allocate(Slots slots, int index, int sizeBytes) {
    return rings.get().next(sizeBytes);
  }

  @Override
  public void free(Slots slots, int index) {}

  @Override
  public boolean trim() {
    return false;
  }

  @Override
  public String library() {
    return "none";
  }

  @Override
  public void close() {
    arena.close();
  }

  /** One thread's piece. */
  private static final class Ring {
    private final long begin;
    private final long end;
    private long top;

    Ring(long begin, long end) {
      this.begin = begin;
      this.end = end;
      this.top = begin;
    }

    long next(int sizeBytes) {
      long address = top + sizeBytes > end ? begin : top;
      top = address + Math.ceilDiv(sizeBytes, ALIGNMENT_BYTES) * (long) ALIGNMENT_BYTES;
      return address;
    }
  }
}
