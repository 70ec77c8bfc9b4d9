package dev.arenal.elastic;

import dev.arenal.elastic.block.FreeBlocks;
import dev.arenal.guard.ScopeEnd;
import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An arena that all threads use: the fast path is one compare-and-set, the rest has a monitor.
 *
 * <p>The bump pointer and its limit must be seen together: a limit of one stretch with the pointer
 * of another would hand out what is not there. So they live in a {@link BumpRegion}, one for each
 * stretch, whose limit only grows; a region that is left behind is frozen first.
 */
final class SharedArena extends ChunkedArena implements ScopeEnd.Owner {
  private volatile BumpRegion region = new BumpRegion(Arena.ofShared());

  private final ScopeEnd end = new ScopeEnd(this);

  SharedArena(SpaceState space, @Nullable String name, ArenaGrowth growth) {
    super(space, name, growth);
  }

  @Override
  public Arena inner() {
    return region.inner;
  }

  @Override
  long top() {
    BumpRegion current = region;
    long top = current.get();
    return top == BumpRegion.FROZEN ? current.frozenTop : top;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    BumpRegion current = region;
    Arena round = current.inner; // with the pointer: memory of one round is not for the next
    long start = 0;
    if (((byteSize - 1) >>> 32) == 0
        && byteAlignment > 0
        && (byteAlignment & (byteAlignment - 1)) == 0) {
      // The limit first: a pointer read later that stays below it is in the region.
      start = bump(current, current.limit, (byteSize + 7) & -8L, byteAlignment);
    }
    if (start == 0) {
      start = allocateSlow(round, byteSize, byteAlignment);
    }
    // If the round is over by now this throws, and what was bumped died with it.
    try {
      return NativeMemory.segment(start, byteSize, round);
    } catch (Throwable e) {
      if (StackReserve.isThere()) { // else it stays a gap
        handBack(round, start, blockBytes(byteSize, byteAlignment));
      }
      throw e;
    }
  }

  /**
   * Undoes an allocation whose segment could not be made, since the Java heap is full.
   *
   * <p>The stretch of the block may have been left meanwhile for one that begins where the block
   * ends. The pointer is just there again where the first block of that one was handed back, too,
   * and must not go below it.
   */
  void handBack(Arena round, long start, long blockBytes) {
    synchronized (chunks) {
      if (round.scope().isAlive()
          && (start < stretchStart
              || region.compareAndExchange(start + blockBytes, start) != start + blockBytes)) {
        keepAsGap(start, blockBytes);
      }
    }
  }

  /** It is not the last one any more: free for reuse, or, if that needs the heap, a gap. */
  private void keepAsGap(long start, long blockBytes) {
    try {
      earlyFrees().putBack(start, blockBytes);
      region.limit = limit(region.get());
    } catch (OutOfMemoryError e) {
      gapBytes += blockBytes;
    }
  }

  /** Bumps where no gap is needed, or answers 0. */
  private static long bump(BumpRegion region, long limit, long blockBytes, long alignmentBytes) {
    long top = region.get();
    while ((top & (alignmentBytes - 1)) == 0 && blockBytes <= limit - top) {
      long witness = region.compareAndExchange(top, top + blockBytes);
      if (witness == top) {
        return top;
      }
      Thread.onSpinWait();
      top = witness;
    }
    return 0;
  }

  private long allocateSlow(Arena round, long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    NativeMemory.checkAccessible(round); // first, as the JDK does
    StackReserve.ensure();
    return obtain(round, blockBytes(byteSize, byteAlignment), Math.max(8, byteAlignment));
  }

  @Override
  long attempt(Arena round, long blockBytes, long alignmentBytes, boolean modest) {
    synchronized (chunks) {
      // The end of a round takes the monitor, too: one that lives here has its chunks.
      return super.attempt(round, blockBytes, alignmentBytes, modest);
    }
  }

  @Override
  long attemptWhole(long blockBytes, long alignmentBytes, boolean modest) {
    EarlyFrees frees = earlyFrees;
    long block = frees == null ? FreeBlocks.NONE : frees.take(blockBytes, alignmentBytes);
    long start = block;
    if (start <= 0) {
      // The thread that held the monitor before may have made room for all, and where no free block
      // does, or is refused, there may be room behind the others.
      start = bump(region, bumpLimit(top()), blockBytes, alignmentBytes);
    }
    if (start == 0) {
      start = bumpSlow(blockBytes, alignmentBytes, modest);
    }
    region.limit = limit(region.get());
    return start < 0 ? mendable(block, start) : start;
  }

  private long bumpSlow(long blockBytes, long alignmentBytes, boolean modest) {
    BumpRegion current = region;
    BumpRegion next =
        new BumpRegion(current.inner); // first: nothing may fail while the region is frozen
    long top = freeze(current);
    long stretchBefore = stretchStart;
    long blockEnd = 0;
    isAside = false;
    try {
      long start = makeRoom(top, blockBytes, alignmentBytes, modest);
      if (start >= 0 && !isAside) {
        gapBytes += Math.max(0, start - (stretchStart == stretchBefore ? top : stretchStart));
        blockEnd = start + blockBytes;
      }
      return start;
    } finally {
      // A stretch may have been begun, also where this fails; its end may be where the one before
      // began, so the pointer itself does not tell.
      long newTop = stretchStart == stretchBefore ? top : stretchStart;
      next.moveTo(blockEnd == 0 ? newTop : blockEnd);
      // Always a new region: a thread that has read the old limit must not meet a later pointer.
      region = next;
    }
  }

  /** No other thread moves the pointer while there is more to do than to bump. */
  private static long freeze(BumpRegion current) {
    current.frozenTop = current.get(); // for reports that look in between
    long top = current.getAndSet(BumpRegion.FROZEN);
    current.frozenTop = top;
    return top;
  }

  @Override
  public void deallocate(MemorySegment block) {
    StackReserve.ensureShort();
    synchronized (chunks) {
      NativeMemory.checkAccessible(inner());
      addFree(block, region.get());
      region.limit = limit(region.get());
    }
  }

  @Override
  public void reset() {
    StackReserve.ensure();
    end.beginReset();
    try {
      endRound();
    } finally {
      end.call = null;
    }
  }

  /** No other thread ends the round meanwhile, nor begins another. */
  private void endRound() {
    Arena ended = region.inner;
    space.damage.check();
    BumpRegion next = new BumpRegion(Arena.ofShared()); // first, while the Java heap has room
    int due = 0;
    try {
      ended.close();
    } finally {
      // Also where a cleanup action of the program threw: the scope is closed even then.
      if (!ended.scope().isAlive()) {
        synchronized (chunks) {
          try {
            due = beginRound(next);
          } catch (Throwable e) { // any error: a round that is half begun is of no use
            space.damage.note(e);
            due = space.release(this); // only off the registry: the arena is closed
          }
        }
        performWhenComplete(due);
      }
    }
    if (!region.inner.scope().isAlive()) {
      space.damage.check(); // throws
    }
  }

  /** A thread that has bumped in the old region gets no segment, and no other bumps there. */
  private int beginRound(BumpRegion next) {
    int due = restart(freeze(region));
    next.moveTo(stretchStart);
    next.limit = limit(stretchStart);
    region = next;
    return due;
  }

  @Override
  public void close() {
    StackReserve.ensure();
    end.beginClose();
    // No other thread closes the inner arena now: if it is closed afterwards, this call has ended
    // it, and all cleanup actions have run, which may have called anything but this.
    Arena ended = region.inner; // without a call, which might fail
    try {
      ended.close();
    } finally {
      if (ended.scope().isAlive()) {
        end.call = null;
      } else {
        int due;
        synchronized (chunks) {
          try {
            due = space.release(this);
          } catch (Throwable e) { // whatever it is: the scope is closed, and no other close follows
            space.damage.note(e);
            due = space.release(this); // only off the registry now: the close is complete
          }
        }
        performWhenComplete(due);
      }
    }
  }

  /** A close or a reset is complete: an error after it is one of the space. */
  private void performWhenComplete(int due) {
    try {
      space.perform(due);
    } catch (Throwable e) {
      space.damage.note(e);
    }
  }

  /** A bump pointer, which is its value, and how far it may go. */
  private static final class BumpRegion extends AtomicLong {
    private static final long serialVersionUID = 1;

    /** A pointer so high that no block fits below any limit. */
    static final long FROZEN = Long.MAX_VALUE;

    volatile long limit;

    /** The pointer at the moment when it was frozen; before that, an older value of it. */
    volatile long frozenTop;

    /** Of the round, whose scope the segments of this memory have. */
    final transient Arena inner;

    /** Without memory. */
    BumpRegion(Arena inner) {
      this.inner = inner;
    }

    /** Before the region is published. */
    void moveTo(long newTop) {
      set(newTop);
      frozenTop = newTop;
    }
  }
}
