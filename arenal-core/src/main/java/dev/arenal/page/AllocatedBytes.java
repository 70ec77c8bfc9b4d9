package dev.arenal.page;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * All that an allocator has ever handed out, for its statistics. Knows the heaps and not the
 * allocator, which a thread that samples must not keep alive.
 */
final class AllocatedBytes implements LongSupplier {
  private final List<LockedHeap> heaps;
  private final Racks racks;

  AllocatedBytes(List<LockedHeap> heaps, Racks racks) {
    this.heaps = heaps;
    this.racks = racks;
  }

  @Override
  public long getAsLong() {
    long sizeBytes = 0;
    for (int i = 0; i < heaps.size(); i++) {
      sizeBytes += heaps.get(i).allocatedBytesOpaque();
    }
    return sizeBytes + racks.allocatedBytesOpaque();
  }
}
