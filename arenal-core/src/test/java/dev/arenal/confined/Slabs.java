package dev.arenal.confined;

import dev.arenal.conformance.Contents;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Slabs as seen from outside: their addresses and, past all arenas, their memory. */
final class Slabs {
  static final int SLAB_BYTES = Pool.SLAB_BYTES;

  private Slabs() {}

  /** The slabs of the current platform thread that have memory, the first one first. */
  static List<Slab> ofCurrentThread() {
    ThreadSlabs slabs =
        Objects.requireNonNull(
            SlabRegistry.find(Thread.currentThread().threadId()), "no slab for this thread yet");
    List<Slab> all = new ArrayList<>();
    for (Slab slab = slabs.first(); slab != null; slab = slab.next) {
      if (slab.hasMemory()) {
        all.add(slab);
      }
    }
    return all;
  }

  /** Whether a block lies in one of these slabs. */
  static boolean isIn(List<Slab> slabs, MemorySegment block) {
    return slabs.stream()
        .anyMatch(slab ->
            slab.hasMemory()
                && block.address() >= slab.address
                && block.address() < slab.address + SLAB_BYTES);
  }

  /** The memory of a slab, which lives as long as the slab has it. */
  static MemorySegment memory(Slab slab) {
    return NativeMemory.segment(slab.address, SLAB_BYTES);
  }

  /** The offset of the first byte in the slab that is not zero, or -1. */
  static long mismatchZero(Slab slab) {
    MemorySegment memory = memory(slab);
    long step = 16 << 10; // what is compared in whole
    for (long at = 0; at < SLAB_BYTES; at += step) {
      long found = Contents.mismatch(memory.asSlice(at, Math.min(step, SLAB_BYTES - at)), (byte) 0);
      if (found >= 0) {
        return at + found;
      }
    }
    return -1;
  }

  /** All that the arena may write to without harm: the block to its end, rounded up. */
  static MemorySegment wholeBlock(MemorySegment block) {
    return NativeMemory.segment(block.address(), PooledArena.blockBytes(block.byteSize()));
  }

  /** Opens an arena, takes a block, closes it; where the block was. */
  static long addressOfBlock(long sizeBytes) {
    try (Arena arena = PooledArena.ofConfined()) {
      return arena.allocate(sizeBytes).address();
    }
  }
}
