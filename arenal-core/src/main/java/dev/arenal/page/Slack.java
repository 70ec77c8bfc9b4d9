package dev.arenal.page;

import java.util.List;

/**
 * Keeps free memory within a share of what is used while an allocator grows: growth is paid for.
 *
 * <p>Buffers of random sizes and lifetimes leave holes, and how much lies in holes of which pages
 * changes all the time; without a bound each kind of page keeps the memory of its own worst moment.
 * So whoever commits memory while more than its share is free gives as much dead memory back
 * elsewhere: the highest holes of the heap that has most, which are the last to be used again.
 * Where the allocator does not grow nothing is given back before the uncommit delay, so that memory
 * stays warm (ADR 0014 has the figures).
 */
final class Slack {
  /** Below that it is not worth a call into the kernel. */
  private static final long LEAST_BYTES = 1 << 20;

  /** That much is never too much: each of the heaps needs a page to begin with. */
  private static final long LEAST_FREE_BYTES = 8 << 20;

  /** Holes of fewer OS pages are used again soon. */
  private static final int LEAST_OS_PAGES = 4;

  private final PageSupply supply;
  private final List<LockedHeap> heaps;
  private final int percent;
  private final long floorBytes;

  Slack(PageSupply supply, List<LockedHeap> heaps, int percent, long floorBytes) {
    this.supply = supply;
    this.heaps = heaps;
    this.percent = percent;
    this.floorBytes = floorBytes;
  }

  /** To be called without a lock by whoever has just allocated. */
  void payIfGrown() {
    if (supply.grownBytes() >= LEAST_BYTES) {
      pay(supply.takeGrownBytes());
    }
  }

  private void pay(long grownBytes) {
    long freeBytes = supply.figures().cachedBytes();
    long usedBytes = 0;
    long mostBytes = 0;
    LockedHeap most = heaps.getFirst();
    for (LockedHeap heap : heaps) {
      long deadBytes = heap.deadBytes();
      freeBytes += deadBytes;
      usedBytes += heap.usedBytesOpaque();
      if (deadBytes > mostBytes) {
        mostBytes = deadBytes;
        most = heap;
      }
    }
    long shareBytes = (long) (usedBytes * (percent / 100.0));
    long excessBytes = freeBytes - Math.max(shareBytes, LEAST_FREE_BYTES);
    long aboveFloorBytes = supply.figures().committedBytes() - floorBytes;
    long wantedBytes =
        Math.min(Math.min(grownBytes, excessBytes), Math.min(mostBytes, aboveFloorBytes));
    if (wantedBytes > 0) {
      most.discardHoles(new ColdMemory(true, wantedBytes, LEAST_OS_PAGES));
    }
  }
}
