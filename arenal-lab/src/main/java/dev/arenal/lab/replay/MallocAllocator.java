package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.NativeHeap;
import dev.arenal.lab.heap.RawMemory;

/**
 * One {@code malloc} per block from the measured heap, as HotSpot's own experiment did in place of
 * its metaspace: a header of two words chains the blocks of an arena, and the death of the arena
 * walks the chain.
 *
 * <pre>
 *  block: | older block's header | newer (only blocks freed early) | payload ...
 * </pre>
 *
 * <p>Blocks that will be freed early are known beforehand here, and stand in a chain of their own
 * that is linked both ways. No other block pays for it with a second write into an older block,
 * which is cold when arenas take turns. A real program would not know, so this favours malloc.
 */
final class MallocAllocator implements ReplayAllocator {
  private static final long HEADER_BYTES = 2 * Long.BYTES;
  private static final long NEWER_OFFSET_BYTES = Long.BYTES;

  private final long[] newestHeaders;
  private final long[] newestKeptHeaders;
  private final long[] slotHeaders;
  private final NativeHeap heap;
  private final long heldBeforeBytes;

  MallocAllocator(HeapKind kind, ReplayProgram program) {
    this.heap = MeasuredHeap.heap(kind);
    this.newestHeaders = new long[program.arenas().arenaCount()];
    this.newestKeptHeaders = new long[program.arenas().arenaCount()];
    this.slotHeaders = new long[program.keptCount()];
    this.heldBeforeBytes = heap.heldBytes();
  }

  @Override
  public void birth(int arena) {}

  @Override
  public long allocate(int arena, long sizeBytes) {
    long header = MeasuredHeap.malloc(sizeBytes + HEADER_BYTES);
    RawMemory.putWord(header, newestHeaders[arena]);
    newestHeaders[arena] = header;
    return header + HEADER_BYTES;
  }

  @Override
  public long allocateKept(int arena, long sizeBytes, int slot) {
    long header = MeasuredHeap.malloc(sizeBytes + HEADER_BYTES);
    long older = newestKeptHeaders[arena];
    RawMemory.putWord(header, older);
    RawMemory.putWord(header + NEWER_OFFSET_BYTES, 0);
    if (older != 0) {
      RawMemory.putWord(older + NEWER_OFFSET_BYTES, header);
    }
    newestKeptHeaders[arena] = header;
    slotHeaders[slot] = header;
    return header + HEADER_BYTES;
  }

  @Override
  public void deallocate(int arena, int slot) {
    long header = slotHeaders[slot];
    long older = RawMemory.getWord(header);
    long newer = RawMemory.getWord(header + NEWER_OFFSET_BYTES);
    if (older != 0) {
      RawMemory.putWord(older + NEWER_OFFSET_BYTES, newer);
    }
    if (newer != 0) {
      RawMemory.putWord(newer, older);
    } else {
      newestKeptHeaders[arena] = older;
    }
    MeasuredHeap.free(header);
  }

  @Override
  public void death(int arena) {
    freeChain(newestHeaders[arena]);
    newestHeaders[arena] = 0;
    freeChain(newestKeptHeaders[arena]);
    newestKeptHeaders[arena] = 0;
  }

  private static void freeChain(long newest) {
    long header = newest;
    while (header != 0) {
      long older = RawMemory.getWord(header);
      MeasuredHeap.free(header);
      header = older;
    }
  }

  @Override
  public long committedBytes() {
    long heldBytes = heap.heldBytes();
    return heldBytes == UNKNOWN ? UNKNOWN : Math.max(0, heldBytes - heldBeforeBytes);
  }

  @Override
  public long headerBytesPerBlock() {
    return HEADER_BYTES;
  }

  @Override
  public boolean isZeroing() {
    return false;
  }

  @Override
  public void close() {
    for (int arena = 0; arena < newestHeaders.length; arena++) {
      death(arena);
    }
  }
}
