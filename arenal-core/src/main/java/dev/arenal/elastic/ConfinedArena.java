package dev.arenal.elastic;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** An arena that one thread uses: plain fields, no atomics. */
final class ConfinedArena extends ChunkedArena {
  private long top;
  private long limit;

  ConfinedArena(SpaceState space, @Nullable String name, ArenaGrowth growth) {
    super(space, Arena.ofConfined(), name, growth);
  }

  @Override
  long top() {
    return top;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    long oldTop = top;
    long start = (oldTop + byteAlignment - 1) & -byteAlignment;
    long newTop = start + ((byteSize + 7) & -8L);
    long gap = start - oldTop;
    // The shift refuses negative, empty and huge sizes in one comparison.
    if (((byteSize - 1) >>> 32) != 0
        || newTop > limit
        || byteAlignment <= 0
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      start = allocateSlow(byteSize, byteAlignment);
      newTop = top;
      gap = 0;
    }
    // One place that makes segments: two would meet in a phi, which escape analysis gives up on.
    // Throws if the arena is closed or the thread is not its owner, before anything has changed.
    MemorySegment segment = NativeMemory.segment(start, byteSize, inner);
    top = newTop;
    if (gap != 0) {
      gapBytes += gap;
    }
    return segment;
  }

  private long allocateSlow(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    NativeMemory.checkAccessible(inner);
    long blockBytes = blockBytes(byteSize, byteAlignment);
    EarlyFrees frees = earlyFrees;
    long start = frees == null ? FreeBlocks.NONE : frees.take(blockBytes, byteAlignment);
    if (start == FreeBlocks.NONE) {
      try {
        start = makeRoom(top, blockBytes, Math.max(8, byteAlignment));
      } catch (Throwable e) {
        // Refused: nothing has changed. But the heap or the stack may also have ended after a new
        // stretch was begun; the pointer must not stay in the old one.
        top = stretchTop(top);
        limit = 0;
        throw e;
      }
      top = start + blockBytes;
    }
    limit = limit(top);
    return start;
  }

  @Override
  public void deallocate(MemorySegment block) {
    NativeMemory.checkAccessible(inner);
    EarlyFrees frees = earlyFrees;
    if (frees == null) {
      frees = new EarlyFrees(this);
      earlyFrees = frees;
    }
    frees.add(block, top);
    limit = limit(top);
  }

  @Override
  public void close() {
    try {
      inner.close();
    } finally {
      // Also where a cleanup action of the program threw: the scope is dead then all the same.
      if (!inner.scope().isAlive()) {
        space.release(this);
      }
    }
  }
}
