package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.NativeHeap;
import dev.arenal.lab.heap.OwnerHeaps;

/**
 * A heap of mimalloc for each loader of the trace, from the birth of the first of the loader's
 * arenas until none is alive any more. Destroying it frees all of the owner's blocks: no header
 * before each block, and no walk.
 *
 * <p>The thread that opens this allocator uses and closes it, and so every heap has one thread.
 */
final class OwnerHeapAllocator implements ReplayAllocator {
  private final NativeHeap heap = MeasuredHeap.heap(HeapKind.MIMALLOC);
  private final ArenaTable table;

  /** By loader. */
  private final long[] heaps;

  private final byte[] aliveCount;

  /** The addresses of blocks that will be freed early. */
  private final long[] slots;

  private final long heldBeforeBytes;

  OwnerHeapAllocator(ReplayProgram program) {
    this.table = program.arenas();
    this.heaps = new long[table.loaderCount()];
    this.aliveCount = new byte[table.loaderCount()];
    this.slots = new long[program.keptCount()];
    this.heldBeforeBytes = heap.heldBytes();
  }

  @Override
  public void birth(int arena) {
    int loader = table.loader(arena);
    if (aliveCount[loader]++ == 0) {
      heaps[loader] = OwnerHeaps.open();
    }
  }

  @Override
  public long allocate(int arena, long sizeBytes) {
    return OwnerHeaps.malloc(heaps[table.loader(arena)], sizeBytes);
  }

  @Override
  public long allocateKept(int arena, long sizeBytes, int slot) {
    long address = allocate(arena, sizeBytes);
    slots[slot] = address;
    return address;
  }

  @Override
  public void deallocate(int arena, int slot) {
    MeasuredHeap.free(slots[slot]);
  }

  @Override
  public void death(int arena) {
    int loader = table.loader(arena);
    if (--aliveCount[loader] == 0) {
      OwnerHeaps.destroy(heaps[loader]);
    }
  }

  @Override
  public long committedBytes() {
    long heldBytes = heap.heldBytes();
    return heldBytes == UNKNOWN ? UNKNOWN : Math.max(0, heldBytes - heldBeforeBytes);
  }

  @Override
  public boolean isZeroing() {
    return false;
  }

  @Override
  public void close() {
    for (int loader = 0; loader < heaps.length; loader++) {
      if (aliveCount[loader] > 0) {
        OwnerHeaps.destroy(heaps[loader]);
        aliveCount[loader] = 0;
      }
    }
  }
}
