package dev.arenal.elastic;

import dev.arenal.elastic.block.FreeBlocks;
import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.MemorySegment;

/**
 * The blocks of one arena that were given back early: checks them, keeps them, hands them out
 * again.
 *
 * <p>Where a free range covers many whole granules, these go back to the kernel although the arena
 * lives on. Guarded by the owner of the arena.
 */
final class EarlyFrees implements FreeBlocks.Choice {
  /** A free range gives whole granules back from this size on: less is not worth a system call. */
  private static final long DISCARD_BYTES = 16 * 1024;

  /** A balanced arena keeps up to this part of itself committed in free blocks. */
  private static final int KEEP_FRACTION = 16;

  /** An allocation from free blocks tells the space no smaller change. */
  private static final long COUNT_STEP_BYTES = 64 * 1024;

  private final ChunkedArena arena;
  final FreeBlocks blocks = new FreeBlocks();

  /** Bytes of free blocks whose granules have gone back to the kernel. */
  private long discardedBytes;

  /** Whether it may be more than that: the Java heap ended while they went. */
  private boolean isInDoubt;

  /** The part of {@link #committedBytes} that the space counts. */
  private long countedBytes;

  EarlyFrees(ChunkedArena arena) {
    this.arena = arena;
  }

  /** Whether its blocks are all committed: to take one is a matter of a few calls. */
  boolean isAtHand() {
    return !hasDiscarded() && !blocks.isEmpty();
  }

  /** Whether granules of free blocks may have gone back to the kernel. */
  boolean hasDiscarded() {
    return discardedBytes != 0 || isInDoubt;
  }

  /** Bytes of free blocks that are committed. */
  long committedBytes() {
    return blocks.totalBytes() - discardedBytes;
  }

  /** Takes a block back; see {@link ElasticArena#deallocate}. */
  void add(MemorySegment block, long top) {
    long address = block.address();
    long sizeBytes = Math.max(8, (block.byteSize() + 7) & -8L);
    if (!block.isNative()
        || sizeBytes < block.byteSize() // overflow
        || !block.scope().equals(arena.scope())
        || (address & 7) != 0
        || !arena.hasHandedOut(address, sizeBytes, top)) {
      throw new IllegalArgumentException(
          "segment is not a block of this arena: "
              + describe(block)
              + " (expected a segment that allocate returned, whole)");
    }
    long joinedStart = blocks.add(address, sizeBytes);
    if (joinedStart == FreeBlocks.NONE) {
      throw new IllegalArgumentException(
          "block, or part of it, has already been given back: "
              + describe(block)
              + " (expected each block once)");
    }
    arena.space.forgetReference(address, sizeBytes);
    long joinedEnd = joinedStart + blocks.joinedBytes();
    if (blocks.joinedBytes() < DISCARD_BYTES
        || !completesGranule(address, address + sizeBytes, joinedStart, joinedEnd)) {
      return;
    }
    try {
      discardGranules(joinedStart, joinedEnd);
    } catch (OutOfMemoryError e) {
      // The Java heap is full: the block has been given back, and its memory stays committed.
      isInDoubt = true;
    }
  }

  /** A zeroed block, or {@link FreeBlocks#NONE}, or a refusal, which changes nothing. */
  long take(long sizeBytes, long alignmentBytes) {
    long address = blocks.take(sizeBytes, alignmentBytes);
    if (address == FreeBlocks.NONE) {
      return address;
    }
    long result = commitTaken(address, sizeBytes);
    if (result < 0) { // a block that is committed needs nothing of the budget, nor of the kernel
      address = blocks.takeChosen(sizeBytes, alignmentBytes, this);
      if (address != FreeBlocks.NONE) {
        result = commitTaken(address, sizeBytes);
      }
    }
    return result < 0 ? result : address;
  }

  /** Whether a free range is all committed. */
  @Override
  public boolean isChosen(long address, long sizeBytes) {
    return arena.space.growth.isCommitted(address, sizeBytes);
  }

  /** Commits a block that was taken, and zeroes it; a refusal has put it back. */
  private long commitTaken(long address, long sizeBytes) {
    long result = -1;
    try {
      result = hasDiscarded() ? arena.space.growth.recommit(arena, address, sizeBytes) : 0;
      if (result >= 0) {
        discardedBytes -= result;
        if (countedBytes - committedBytes() > Math.min(COUNT_STEP_BYTES, countedBytes >> 1)) {
          var _ = count(committedBytes());
        }
        NativeMemory.zero(address, sizeBytes);
        return result;
      }
    } catch (OutOfMemoryError e) { // the heap is full
      putBack(address, sizeBytes);
      throw e;
    }
    putBack(address, sizeBytes);
    return result;
  }

  /** Puts back what was taken and cannot be used; needs no heap. */
  void putBack(long address, long sizeBytes) {
    var _ = blocks.add(address, sizeBytes);
  }

  /** Whether a freed block was what kept a granule of the range around it from being free. */
  private boolean completesGranule(long from, long to, long start, long end) {
    long granuleBytes = arena.space.settings.granuleBytes();
    long first = Math.max(from & -granuleBytes, (start + granuleBytes - 1) & -granuleBytes);
    long last = Math.min((to + granuleBytes - 1) & -granuleBytes, end & -granuleBytes);
    return first < last;
  }

  private void discardGranules(long start, long end) {
    long granuleBytes = arena.space.settings.granuleBytes();
    long from = (start + granuleBytes - 1) & -granuleBytes;
    long to = end & -granuleBytes;
    // Where the stack is at its end, the memory stays committed.
    if (to - from >= DISCARD_BYTES && exceedsKept() && StackReserve.isThere()) {
      discardedBytes += arena.space.growth.discard(arena, from, to);
      var _ = count(committedBytes());
    }
  }

  /**
   * Whether more is free and committed than stays, so that giving back and taking again does not
   * fault: a fraction of the arena, and the reserve for all arenas of the space together.
   */
  private boolean exceedsKept() {
    SpaceSettings settings = arena.space.settings;
    long freeBytes = committedBytes();
    long totalBytes = count(freeBytes);
    if (settings.reclaimPolicy() == ReclaimPolicy.AGGRESSIVE) {
      return freeBytes > 0;
    }
    return totalBytes > settings.reserveBytes() && freeBytes > arena.committedBytes / KEEP_FRACTION;
  }

  /** Has the space count that much for this arena; returns its count for all. */
  private long count(long freeBytes) {
    long moreBytes = freeBytes - countedBytes;
    countedBytes = freeBytes;
    return arena.space.earlyFreeBytes.addAndGet(moreBytes);
  }

  /** The memory of the arena goes back as a whole, or is for another round. */
  void end() {
    var _ = count(0);
  }

  private String describe(MemorySegment block) {
    return "arena="
        + arena.name
        + ", address=0x"
        + Long.toHexString(block.address())
        + ", byteSize="
        + block.byteSize();
  }
}
