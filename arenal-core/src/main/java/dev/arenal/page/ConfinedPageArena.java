package dev.arenal.page;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** An arena that one thread uses: plain fields, no atomics. */
final class ConfinedPageArena extends PageArena {
  private long top;
  private long limit;

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

  @Override
  @Nullable MemorySegment allocateInRegion(long byteSize, long byteAlignment, long blockBytes) {
    long start = alignUp(top, byteAlignment);
    if (start + blockBytes > limit) {
      return null;
    }
    MemorySegment segment = NativeMemory.segment(start, byteSize, inner);
    top = start + blockBytes;
    return segment;
  }

  @Override
  boolean link(PageBuffer buffer, long newTop) {
    if (!held.isListed) {
      pages.state().arenas.add(held);
    }
    buffer.watchBy(this);
    buffer.nextPending = held.first;
    held.first = buffer;
    if (newTop != 0) {
      top = newTop;
      limit = buffer.address + buffer.sizeBytes;
    }
    return true;
  }

  @Override
  void collect() {
    pages.state().arenas.remove(held);
  }
}
