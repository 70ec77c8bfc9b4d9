package dev.arenal.lab.replay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All of memory as one segment, written word by word at plain addresses: the same few instructions
 * for the blocks of every allocator.
 */
@SuppressWarnings("restricted") // Blocks of other allocators are known by address only.
final class RawMemory {
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private RawMemory() {}

  static void putWord(long address, long value) {
    EVERYTHING.set(ValueLayout.JAVA_LONG, address, value);
  }

  static long getWord(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_LONG, address);
  }

  /** Writes every word of a block. */
  static void fill(long address, int sizeWords, long value) {
    for (int word = 0; word < sizeWords; word++) {
      EVERYTHING.set(ValueLayout.JAVA_LONG, address + (long) word * Long.BYTES, value);
    }
  }
}
