package dev.arenal.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The restricted operations on raw addresses that the layers above need, in one place. */
@SuppressWarnings("restricted") // this is the door
public final class NativeMemory {
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NativeMemory() {}

  /**
   * A segment over {@code sizeBytes} bytes at {@code address} that lives as long as {@code arena}.
   *
   * <p>No cleanup is attached: one per allocation would break escape analysis.
   *
   * @throws IllegalStateException if the arena is closed
   * @throws WrongThreadException if the arena is confined to another thread
   */
  public static MemorySegment segment(long address, long sizeBytes, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(sizeBytes, arena, null);
  }

  /** Throws as {@link #segment} does, and does nothing else. */
  public static void checkAccessible(Arena arena) {
    var _ = MemorySegment.NULL.reinterpret(0, arena, null);
  }

  /** Fills memory with zero. The range must be accessible. */
  public static void zero(long address, long sizeBytes) {
    EVERYTHING.asSlice(address, sizeBytes).fill((byte) 0);
  }
}
