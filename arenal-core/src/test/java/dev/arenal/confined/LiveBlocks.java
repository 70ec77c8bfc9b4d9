package dev.arenal.confined;

import java.util.Map;
import java.util.TreeMap;

/** The blocks of all open arenas of all threads, no two of which may overlap. */
final class LiveBlocks {
  private final TreeMap<Long, Long> ends = new TreeMap<>(); // by beginning; guarded by this

  /** Adds a block; even an empty one has an address of its own. */
  synchronized void add(long address, long sizeBytes) {
    long end = address + Math.max(sizeBytes, 1);
    Map.Entry<Long, Long> below = ends.lowerEntry(end);
    if (below != null && below.getValue() > address) {
      throw new AssertionError(
          "overlap: address=%#x, sizeBytes=%d, other=%#x to %#x"
              .formatted(address, sizeBytes, below.getKey(), below.getValue()));
    }
    ends.put(address, end);
  }

  /** Removes a block; before its arena is closed, as another thread may have it right after. */
  synchronized void remove(long address) {
    ends.remove(address);
  }
}
