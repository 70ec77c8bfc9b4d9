package dev.arenal.elastic;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** An arena that one thread uses: plain fields, no atomics. */
final class ConfinedArena extends ChunkedArena {
  private long top;
  private long limit;

  /** What the slow path has found and the end of {@link #allocate} makes true. */
  private long nextTop;

  private long nextGapBytes;

  /** Size of the block if it had been given back early; else 0. */
  private long takenBytes;

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
    long taken = 0;
    // The shift refuses negative, empty and huge sizes in one comparison.
    if (((byteSize - 1) >>> 32) != 0
        || newTop > limit
        || byteAlignment <= 0
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      start = allocateSlow(byteSize, byteAlignment);
      newTop = nextTop;
      gap = nextGapBytes;
      taken = takenBytes;
    }
    // One place that makes segments: two would meet in a phi, which escape analysis gives up on.
    // Throws if the arena is closed or the thread is not its owner, before anything has changed.
    MemorySegment segment;
    try {
      segment = NativeMemory.segment(start, byteSize, inner);
    } catch (Throwable e) {
      if (taken != 0) { // a local, since this may not be the owner
        putBack(start, taken);
      }
      throw e;
    }
    top = newTop;
    if (gap != 0) {
      gapBytes += gap;
    }
    return segment;
  }

  private long allocateSlow(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    StackReserve.ensure();
    return obtain(blockBytes(byteSize, byteAlignment), Math.max(8, byteAlignment));
  }

  @Override
  long attempt(long blockBytes, long alignmentBytes, boolean modest) {
    NativeMemory.checkAccessible(inner);
    space.damage.check();
    try {
      return attemptWhole(blockBytes, alignmentBytes, modest);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      space.damage.note(e);
      throw e;
    }
  }

  private long attemptWhole(long blockBytes, long alignmentBytes, boolean modest) {
    long oldTop = top;
    nextTop = oldTop;
    nextGapBytes = 0;
    takenBytes = 0;
    EarlyFrees frees = earlyFrees;
    if (frees != null) {
      long block = frees.take(blockBytes, alignmentBytes);
      if (block != FreeBlocks.NONE) {
        takenBytes = blockBytes;
        limit = limit(oldTop);
        return block;
      }
    }
    limit = 0; // should the heap or the stack end in between
    long start;
    try {
      start = makeRoom(oldTop, blockBytes, alignmentBytes, modest);
    } finally {
      // A stretch may have been begun, also where this fails: the pointer must not stay outside.
      top = stretchTop(oldTop);
    }
    if (start < 0) {
      limit = limit(top);
      return start;
    }
    nextTop = start + blockBytes;
    nextGapBytes = Math.max(0, start - top);
    limit = limit(nextTop);
    return start;
  }

  @Override
  public void deallocate(MemorySegment block) {
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner);
    addFree(block, top);
    limit = limit(top);
  }

  @Override
  public void close() {
    // From here on this is the owner, and the scope is alive: if it is dead afterwards, this call
    // has ended it. A cleanup action that closes again is refused here.
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner);
    try {
      inner.close();
    } finally {
      // Also where a cleanup action of the program threw: the scope is dead then all the same.
      if (!inner.scope().isAlive()) {
        try {
          space.release(this);
        } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
          space.damage.note(e);
          space.release(this); // only off the registry now: the close is complete
        }
      }
    }
  }
}
