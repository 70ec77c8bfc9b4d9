package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An arena that one thread uses: plain fields, no atomics. */
final class ConfinedPageArena extends PageArena {
  private long top;
  private long limit;
  private long regionBytes;

  ConfinedPageArena(PageAllocator pages) {
    super(pages, Arena.ofConfined(), false);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    long start = (top + byteAlignment - 1) & -byteAlignment;
    long newTop = start + ((byteSize + 7) & -8L);
    // The shift refuses negative, empty and huge sizes in one comparison.
    if (((byteSize - 1) >>> 32) != 0
        || newTop > limit
        || byteAlignment <= 0
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return allocateSlow(byteSize, byteAlignment);
    }
    // Throws if the arena is closed or the thread is not its owner, before anything has changed.
    MemorySegment segment = NativeMemory.segment(start, byteSize, inner);
    top = newTop;
    return segment;
  }

  private MemorySegment allocateSlow(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner);
    boolean isSmall = isSmall(byteSize, byteAlignment);
    long blockBytes = isSmall ? blockBytes(byteSize) : 0;
    if (isSmall && alignUp(top, byteAlignment) + blockBytes <= limit) { // an empty one
      MemorySegment segment = NativeMemory.segment(alignUp(top, byteAlignment), byteSize, inner);
      top = alignUp(top, byteAlignment) + blockBytes;
      return segment;
    }
    PageBuffer buffer =
        isSmall
            ? takeRegion(regionBytes, blockBytes, byteAlignment)
            : takeOwn(byteSize, byteAlignment);
    long start;
    MemorySegment segment;
    boolean isDone = false;
    try {
      start = alignUp(buffer.address, byteAlignment);
      segment = NativeMemory.segment(start, byteSize, inner);
      isDone = true;
    } finally {
      if (!isDone) { // the Java heap is full, or a reclaimer has closed this arena
        buffer.closeEnsured();
      }
    }
    // Nothing is called from here on: it could fail.
    buffer.nextPending = first;
    first = buffer;
    if (isSmall) {
      top = start + blockBytes;
      limit = buffer.address + buffer.sizeBytes;
      regionBytes = buffer.sizeBytes;
    }
    return segment;
  }

  @Override
  void collect() {}
}
