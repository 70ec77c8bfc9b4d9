package dev.arenal.page;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * All that an allocator has ever handed out, for its statistics. Knows the heaps and not the
 * allocator, which a thread that samples must not keep alive.
 */
record AllocatedBytes(List<LockedHeap> heaps, Racks racks) implements LongSupplier {
  @Override
  public long getAsLong() {
    long sizeBytes = racks.allocatedBytesRacy(); // first: the others are read plain, after a fence
    for (int i = 0; i < heaps.size(); i++) {
      sizeBytes += heaps.get(i).allocatedBytesRacy();
    }
    return sizeBytes;
  }
}
