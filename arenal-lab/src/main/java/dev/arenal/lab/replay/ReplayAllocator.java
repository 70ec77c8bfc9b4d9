package dev.arenal.lab.replay;

import dev.arenal.lab.heap.NativeHeap;

/**
 * An allocator as the replay sees it: arenas by number, blocks by address.
 *
 * <p>A process replays with one kind only, so every call in the driver's loop has one target and is
 * inlined.
 */
interface ReplayAllocator extends AutoCloseable {
  /** A figure that this allocator cannot tell. */
  long UNKNOWN = NativeHeap.UNKNOWN;

  /** Starts an arena. */
  void birth(int arena);

  /** Takes a block and returns its address, which is a multiple of 8. */
  long allocate(int arena, long sizeBytes);

  /** The same, for a block that {@link #deallocate} will give back by that slot. */
  long allocateKept(int arena, long sizeBytes, int slot);

  /** Gives a block back early; does nothing where the allocator has no way to. */
  void deallocate(int arena, int slot);

  /** Ends an arena with all its blocks. */
  void death(int arena);

  /** The bytes that the allocator has taken from the operating system, or {@link #UNKNOWN}. */
  long committedBytes();

  /** The bytes that this adapter itself puts before each block. */
  default long headerBytesPerBlock() {
    return 0;
  }

  /** The unit in which memory is committed, or {@link #UNKNOWN}. */
  default long granuleBytes() {
    return UNKNOWN;
  }

  /** Whether a fresh block reads as zero. */
  boolean isZeroing();

  /** Ends whatever is still alive. */
  @Override
  void close();
}
