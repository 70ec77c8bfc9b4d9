package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.RawMemory;

/**
 * The words that are written into every buffer: its tag at the begin and in every OS page, the same
 * inverted at the end. The thread that frees it looks for both first, so that an allocator that
 * gives memory out twice is found out.
 */
final class Marks {
  /** Pages of an OS may be larger; then some are written twice. */
  private static final int PAGE_BYTES = 4096;

  private Marks() {}

  /** Touches every OS page of a new buffer. */
  static void write(long address, long tag) {
    long end = address + (int) tag - Long.BYTES;
    RawMemory.putAnywhere(address, tag);
    for (long page = (address | (PAGE_BYTES - 1)) + 1; page < end; page += PAGE_BYTES) {
      RawMemory.putAnywhere(page, tag);
    }
    RawMemory.putAnywhere(end, ~tag);
  }

  /** Whether both ends are as they were written. */
  static boolean areWhole(long address, long tag) {
    return RawMemory.getAnywhere(address) == tag
        && RawMemory.getAnywhere(address + (int) tag - Long.BYTES) == ~tag;
  }

  /** An error for a buffer whose ends are not. */
  static IllegalStateException broken(PeerKind kind, long address, long tag) {
    return new IllegalStateException(
        ("buffer was overwritten: allocator=%s, address=0x%x, sizeBytes=%d, begin=0x%x,"
                + " end=0x%x (expected 0x%x and 0x%x, as written when it was handed out)")
            .formatted(
                kind.label(),
                address,
                (int) tag,
                RawMemory.getAnywhere(address),
                RawMemory.getAnywhere(address + (int) tag - Long.BYTES),
                tag,
                ~tag));
  }
}
