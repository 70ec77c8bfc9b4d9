package dev.arenal.lab.heap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All of memory as one segment, written word by word at plain addresses: the same few instructions
 * for the blocks of every allocator.
 */
@SuppressWarnings("restricted") // Blocks of other allocators are known by address only.
public final class RawMemory {
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private RawMemory() {}

  /** Writes a word. */
  public static void putWord(long address, long value) {
    EVERYTHING.set(ValueLayout.JAVA_LONG, address, value);
  }

  /** Reads a word. */
  public static long getWord(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_LONG, address);
  }

  /** Writes a word that may lie across others. */
  public static void putAnywhere(long address, long value) {
    EVERYTHING.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** Reads a word that may lie across others. */
  public static long getAnywhere(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  /** Writes every word of a block. */
  public static void fill(long address, int sizeWords, long value) {
    for (int word = 0; word < sizeWords; word++) {
      EVERYTHING.set(ValueLayout.JAVA_LONG, address + (long) word * Long.BYTES, value);
    }
  }
}
