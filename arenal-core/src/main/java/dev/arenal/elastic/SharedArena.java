package dev.arenal.elastic;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An arena that all threads use: the fast path is one compare-and-set, the rest has a monitor.
 *
 * <p>The bump pointer and its limit must be seen together: a limit of one stretch with the pointer
 * of another would hand out what is not there. So they live in a {@link Window}, one for each
 * stretch, whose limit only grows; a window that is left behind is frozen first.
 */
final class SharedArena extends ChunkedArena {
  private static final VarHandle TOP;

  static {
    try {
      TOP = MethodHandles.lookup().findVarHandle(Window.class, "top", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile Window window = new Window(0);

  SharedArena(SpaceState space, @Nullable String name, ArenaGrowth growth) {
    super(space, Arena.ofShared(), name, growth);
  }

  @Override
  long top() {
    Window current = window;
    long top = current.top;
    return top == Window.FROZEN ? current.frozenTop : top;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    long start = 0;
    if (((byteSize - 1) >>> 32) == 0
        && byteAlignment > 0
        && (byteAlignment & (byteAlignment - 1)) == 0) {
      start = bump(window, (byteSize + 7) & -8L, byteAlignment);
    }
    if (start == 0) {
      start = allocateSlow(byteSize, byteAlignment);
    }
    // If the arena is closed by now this throws, and what was bumped died with the arena.
    return NativeMemory.segment(start, byteSize, inner);
  }

  /** Bumps where no gap is needed, or answers 0. */
  private static long bump(Window window, long blockBytes, long alignmentBytes) {
    // The limit first: it only grows, so a pointer read later that stays below it is in the window.
    long limit = window.limit;
    long top = window.top;
    while ((top & (alignmentBytes - 1)) == 0 && blockBytes <= limit - top) {
      long witness = (long) TOP.compareAndExchange(window, top, top + blockBytes);
      if (witness == top) {
        return top;
      }
      Thread.onSpinWait();
      top = witness;
    }
    return 0;
  }

  private long allocateSlow(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    synchronized (chunks) {
      // Under the monitor, which release() takes too: an arena that is alive here keeps its chunks.
      NativeMemory.checkAccessible(inner);
      long blockBytes = blockBytes(byteSize, byteAlignment);
      EarlyFrees frees = earlyFrees;
      long start = frees == null ? FreeBlocks.NONE : frees.take(blockBytes, byteAlignment);
      if (start == FreeBlocks.NONE) {
        // Whoever held the monitor before may have made room for all who waited.
        start = bump(window, blockBytes, byteAlignment);
      }
      if (start == 0) {
        start = bumpSlow(blockBytes, Math.max(8, byteAlignment));
      }
      window.limit = limit(window.top);
      return start;
    }
  }

  private long bumpSlow(long blockBytes, long alignmentBytes) {
    Window current = window;
    Window next = new Window(0); // first: nothing may fail while the window is frozen
    // Freezes the window: nobody else moves the pointer while there is more to do than to bump.
    current.frozenTop = current.top; // for reports that look in between
    long top = (long) TOP.getAndSet(current, Window.FROZEN);
    current.frozenTop = top;
    long newTop = top;
    try {
      long start = makeRoom(top, blockBytes, alignmentBytes);
      newTop = start + blockBytes;
      return start;
    } finally {
      // Always a new window: a thread that has read the old limit must not meet a later pointer.
      next.moveTo(stretchTop(newTop));
      window = next;
    }
  }

  @Override
  public void deallocate(MemorySegment block) {
    synchronized (chunks) {
      NativeMemory.checkAccessible(inner);
      EarlyFrees frees = earlyFrees;
      if (frees == null) {
        frees = new EarlyFrees(this);
        earlyFrees = frees;
      }
      frees.add(block, window.top);
      window.limit = limit(window.top);
    }
  }

  @Override
  public void close() {
    // One at a time: a second closer sees the scope dead while the first one's handshake still
    // runs,
    // and other threads may be inside an access until that is over.
    synchronized (inner) {
      try {
        inner.close();
      } finally {
        if (!inner.scope().isAlive()) {
          synchronized (chunks) {
            space.release(this);
          }
        }
      }
    }
  }

  /** A bump pointer and how far it may go. */
  private static final class Window {
    /** A pointer so high that no block fits below any limit. */
    static final long FROZEN = Long.MAX_VALUE;

    volatile long top;
    volatile long limit;

    /** Where the pointer was when it was frozen; before that, an older value of it. */
    volatile long frozenTop;

    Window(long top) {
      moveTo(top);
    }

    /** Before the window is published. */
    void moveTo(long newTop) {
      top = newTop;
      frozenTop = newTop;
    }
  }
}
