package dev.arenal.elastic;

import dev.arenal.elastic.block.FreeBlocks;
import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** An arena that one thread uses: plain fields, no atomics. */
final class ConfinedArena extends ChunkedArena {
  /** The only thread that may use this arena. */
  private final Thread owner = Thread.currentThread();

  private Arena inner = Arena.ofConfined();
  private long top;
  private long limit;

  /** The piece that the slow path has found; the end of {@link #allocate} takes it. */
  private long nextTop;

  private long nextGapBytes;

  /** A block that had been given back early, until it has a segment: of size 0 if there is none. */
  private long takenStart;

  private long takenBytes;

  /** In {@link #nextGapBytes}: the block had been given back early. */
  private static final long TAKEN = -1;

  ConfinedArena(SpaceState space, @Nullable String name, ArenaGrowth growth) {
    super(space, name, growth);
  }

  @Override
  long top() {
    return top;
  }

  @Override
  Arena inner() {
    return inner;
  }

  @Override
  boolean isOrphan() {
    return !owner.isAlive();
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
      newTop = nextTop;
      gap = nextGapBytes;
    }
    // One place that makes segments: two would meet in a phi, which escape analysis gives up on.
    // Throws if the arena is closed or the thread is not its owner, before anything has changed.
    MemorySegment segment = NativeMemory.segment(start, byteSize, inner);
    if (gap != 0) {
      settle(gap);
    }
    top = newTop; // after the last call: at the end of the stack the block would be lost
    return segment;
  }

  /** The block of the slow path has its segment. */
  private void settle(long gap) {
    if (gap == TAKEN) {
      takenBytes = 0;
    } else {
      gapBytes += gap;
    }
  }

  /** Puts a block back that did not get its segment, since the Java heap was full. */
  private void putBackTaken() {
    if (takenBytes != 0) {
      if (inner.scope().isAlive()) {
        earlyFrees().putBack(takenStart, takenBytes);
      }
      takenBytes = 0;
    }
  }

  @Override
  long unclaimedBytes() {
    return takenBytes;
  }

  private long allocateSlow(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    NativeMemory.checkAccessible(inner); // first, as the JDK does
    long blockBytes = blockBytes(byteSize, byteAlignment);
    long alignmentBytes = Math.max(8, byteAlignment);
    EarlyFrees frees = earlyFrees;
    if (frees != null && frees.isAtHand()) {
      StackReserve.ensureShort(); // such a block is not far
      space.damage.check();
      if (attemptFree(frees, blockBytes, alignmentBytes)) {
        return takenStart;
      }
      long start = attemptBump(blockBytes, alignmentBytes);
      if (start != 0) {
        return start;
      }
    }
    StackReserve.ensure();
    return obtain(inner, blockBytes, alignmentBytes);
  }

  /** Takes a block that was given back early, if there is one that does. */
  private boolean attemptFree(EarlyFrees frees, long blockBytes, long alignmentBytes) {
    try {
      return takeFree(frees, blockBytes, alignmentBytes) > 0;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      space.damage.note(e);
      throw e;
    }
  }

  /**
   * Bumps after no free block did, or answers 0. Most free blocks are small, and stay for long: an
   * arena that has one must not take the whole way for each block that it has room for.
   */
  private long attemptBump(long blockBytes, long alignmentBytes) {
    long oldTop = top;
    long start = (oldTop + alignmentBytes - 1) & -alignmentBytes;
    if (start + blockBytes > bumpLimit(oldTop)) {
      return 0;
    }
    nextTop = start + blockBytes;
    nextGapBytes = start - oldTop;
    return start;
  }

  /**
   * Takes a block that was given back early; a refusal, which is negative, or {@link
   * FreeBlocks#NONE} where there is none.
   */
  private long takeFree(EarlyFrees frees, long blockBytes, long alignmentBytes) {
    putBackTaken();
    long block = frees.take(blockBytes, alignmentBytes);
    if (block > 0) {
      takenStart = block;
      takenBytes = blockBytes;
      nextTop = top;
      nextGapBytes = TAKEN;
      limit = limit(top);
    }
    return block;
  }

  @Override
  long attemptWhole(long blockBytes, long alignmentBytes, boolean modest) {
    EarlyFrees frees = earlyFrees;
    long block = FreeBlocks.NONE;
    if (frees != null) {
      block = takeFree(frees, blockBytes, alignmentBytes);
      if (block > 0) {
        return block;
      } // else there may be room behind the others, also where a free block is refused
    }
    long oldTop = top;
    isAside = false;
    limit = 0; // should the heap or the stack end in between
    long stretchBefore = stretchStart;
    long start;
    try {
      start = makeRoom(oldTop, blockBytes, alignmentBytes, modest);
    } finally {
      // A stretch may have been begun, also where this fails: the pointer must not stay outside.
      // Its end may be where the one before began, so the pointer itself does not tell.
      top = stretchStart == stretchBefore ? oldTop : stretchStart;
    }
    if (start < 0) {
      limit = limit(top);
      return mendable(block, start);
    }
    if (isAside) { // no call until it is known
      takenStart = start;
      takenBytes = blockBytes;
      nextTop = top;
      nextGapBytes = TAKEN;
    } else {
      nextTop = start + blockBytes;
      nextGapBytes = Math.max(0, start - top);
    }
    limit = limit(nextTop);
    return start;
  }

  @Override
  public void deallocate(MemorySegment block) {
    StackReserve.ensureShort();
    NativeMemory.checkAccessible(inner);
    putBackTaken();
    addFree(block, top);
    limit = limit(top);
  }

  @Override
  public void reset() {
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner);
    space.damage.check();
    Arena ended = inner;
    Arena next = Arena.ofConfined(); // first: nothing may fail later for want of Java heap
    try {
      ended.close();
    } finally {
      // Also where a cleanup action of the program threw: the scope is closed even then.
      if (!ended.scope().isAlive()) {
        try {
          beginRound(next);
        } catch (Throwable e) { // any error: a round that is half begun is of no use
          space.damage.note(e);
          space.perform(space.release(this)); // only off the registry: the arena is closed
        }
      }
    }
    if (!inner.scope().isAlive()) {
      space.damage.check(); // throws
    }
  }

  private void beginRound(Arena next) {
    limit = 0;
    space.perform(restart(top));
    top = stretchStart;
    takenBytes = 0;
    limit = limit(top);
    inner = next;
  }

  @Override
  public void close() {
    // From here on this is the owner, and the scope is alive: if it is closed afterwards, this call
    // has ended it. A cleanup action that closes again is refused here.
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner, owner);
    try {
      inner.close();
    } finally {
      // Also where a cleanup action of the program threw: the scope is closed even then.
      if (!inner.scope().isAlive()) {
        try {
          space.perform(space.release(this));
        } catch (Throwable e) { // whatever it is: the scope is closed, and no other close follows
          space.damage.note(e);
          space.perform(space.release(this)); // only off the registry now: the close is complete
        }
      }
    }
  }
}
