package dev.arenal.page;

import dev.arenal.guard.ScopeEnd;
import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import dev.arenal.page.granule.PageSupply;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * An arena whose memory is buffers of a page allocator. Small blocks lie side by side in regions: a
 * region is a buffer with a bump pointer. Larger blocks have a buffer each. All of them are closed
 * when the arena is closed, and only then.
 *
 * <p>A buffer is zero before any block of it is handed out: an allocator that hands out memory as
 * it is has its buffers zeroed here, before another thread knows them. From then on buffers are
 * written through segments of the arena only, and these fail from its close on.
 *
 * <p>The allocator is called with no lock held, and may call reclaimers of its budget, which may
 * use or close the arena. A new buffer belongs to the arena once it is linked; a failure before
 * that closes the buffer.
 */
abstract sealed class PageArena implements Arena, ScopeEnd.Owner
    permits ConfinedPageArena, SharedPageArena {
  /** Larger blocks have a buffer of their own. */
  static final long LARGEST_SMALL_BYTES = 4096;

  private static final long SMALLEST_REGION_BYTES = 1024;
  private static final long LARGEST_REGION_BYTES = 64 * 1024;

  /** The handle: it is not lost, and so not closed, while the arena is in use. */
  final PageAllocator pages;

  final Arena inner;

  /** Of a shared arena. */
  private final @Nullable ScopeEnd end;

  /** Whether the allocator hands out memory that is zero. */
  private final boolean isZeroed;

  /** Of the last region; racy in a shared arena, since any recent size is right. */
  private long regionBytes;

  final ArenaBuffers held;

  PageArena(PageAllocator pages, Arena inner, boolean isShared) {
    this.pages = pages;
    this.inner = inner;
    this.end = isShared ? new ScopeEnd(this) : null;
    this.held = new ArenaBuffers(isShared ? null : Thread.currentThread());
    this.isZeroed = pages.state().settings.isZeroed();
  }

  @Override
  public final Arena inner() {
    return inner;
  }

  @Override
  public final String description() {
    return "allocator=" + pages.name();
  }

  @Override
  public final String toString() {
    return "Arena[" + description() + (inner.scope().isAlive() ? "]" : ", closed]");
  }

  @Override
  public final MemorySegment.Scope scope() {
    return inner.scope();
  }

  private static void checkRequest(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw new IllegalArgumentException(
          "allocation size is negative: byteSize=" + byteSize + " (expected 0 or more)");
    }
    if (byteAlignment <= 0 || (byteAlignment & (byteAlignment - 1)) != 0) {
      throw new IllegalArgumentException(
          "alignment is wrong: byteAlignment=" + byteAlignment + " (expected a power of two)");
    }
  }

  /** A block for which there is no fast path: an empty or a large one, or the first of a region. */
  final MemorySegment allocateSlow(long byteSize, long byteAlignment) {
    checkRequest(byteSize, byteAlignment);
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner);
    boolean isSmall = byteSize <= LARGEST_SMALL_BYTES && byteAlignment <= LARGEST_SMALL_BYTES;
    long blockBytes = Math.max(8, (byteSize + 7) & -8L); // an empty one has an address of its own
    MemorySegment segment = isSmall ? allocateInRegion(byteSize, byteAlignment, blockBytes) : null;
    if (segment != null) {
      return segment;
    }
    PageBuffer buffer =
        isSmall ? takeRegion(blockBytes, byteAlignment) : takeOwn(byteSize, byteAlignment);
    boolean isLinked = false;
    try {
      if (isSmall) { // another thread, or a callback, may have brought a region
        segment = allocateInRegion(byteSize, byteAlignment, blockBytes);
        if (segment != null) {
          return segment;
        }
      }
      long start = alignUp(buffer.address, byteAlignment);
      segment = NativeMemory.segment(start, byteSize, inner);
      isLinked = link(buffer, isSmall ? start + blockBytes : 0);
      if (isLinked) {
        if (isSmall) { // not before: a thread that has seen it finds the region
          regionBytes = buffer.sizeBytes;
        }
        return segment;
      }
    } finally {
      if (!isLinked) { // the Java heap is full, or the arena has been closed
        buffer.closeEnsured();
      }
    }
    throw new IllegalStateException("Already closed"); // as the JDK says it
  }

  /** A small block in the current region; null where there is no room. */
  abstract @Nullable MemorySegment allocateInRegion(
      long byteSize, long byteAlignment, long blockBytes);

  /**
   * Makes a buffer one of the arena. All that may fail comes before that.
   *
   * @param top where its first block ends, if it is the current region from now on; or 0
   * @return false if the arena is closed
   */
  abstract boolean link(PageBuffer buffer, long top);

  /**
   * A buffer for small blocks: twice as large as the one before, so that an arena with one block
   * takes and zeroes little, and one with many asks seldom.
   *
   * @param blockBytes of the first block, at the start of the region or aligned within it
   */
  private PageBuffer takeRegion(long blockBytes, long byteAlignment) {
    long neededBytes = blockBytes + (byteAlignment > 16 ? byteAlignment : 0);
    long wantedBytes = Math.max(SMALLEST_REGION_BYTES, 2 * regionBytes);
    while (wantedBytes < 2 * neededBytes) {
      wantedBytes *= 2;
    }
    long sizeBytes = Math.min(wantedBytes, LARGEST_REGION_BYTES);
    return take(sizeBytes, 1, sizeBytes, 1);
  }

  /** A buffer with one block; {@link #alignUp} says where that begins. */
  private PageBuffer takeOwn(long byteSize, long byteAlignment) {
    long alignmentBytes = Math.min(byteAlignment, PageSupply.GRANULE_BYTES);
    long sizeBytes =
        byteAlignment > alignmentBytes ? byteSize + byteAlignment : Math.max(1, byteSize);
    return take(
        sizeBytes < 0 ? Long.MAX_VALUE : sizeBytes, alignmentBytes, byteSize, byteAlignment);
  }

  /** A buffer of which as much is zero as an aligned block takes, and no more is touched. */
  private PageBuffer take(
      long sizeBytes, long alignmentBytes, long blockBytes, long blockAlignmentBytes) {
    PageBuffer buffer = pages.allocate(sizeBytes, alignmentBytes);
    if (isZeroed) {
      return buffer; // no call since there is one
    }
    boolean isZero = false;
    try {
      NativeMemory.zero(alignUp(buffer.address, blockAlignmentBytes), blockBytes);
      isZero = true;
      return buffer;
    } finally {
      if (!isZero) {
        buffer.closeEnsured();
      }
    }
  }

  static long alignUp(long address, long alignment) {
    return (address + alignment - 1) & -alignment;
  }

  /** The scope has ended: from now on no buffer comes to those in {@link #held}. */
  abstract void collect();

  /** As that of the JDK's arenas; and gives all buffers back, after all cleanup actions. */
  @Override
  public final void close() {
    StackReserve.ensure();
    Thread owner = held.owner;
    if (owner != null) { // a cleanup action that closes again is refused here
      NativeMemory.checkAccessible(inner, owner);
    }
    if (end != null) {
      end.beginClose();
    }
    try {
      inner.close();
    } finally {
      if (inner.scope().isAlive()) {
        if (end != null) {
          end.call = null;
        }
      } else {
        // No other close follows: it has to be complete, whatever a call ends by.
        try {
          giveBack();
        } catch (Throwable e) {
          try {
            giveBack();
          } catch (Throwable another) { // fail-stop: the close of the allocator gives all back
            pages.state().supply.damage.note(e);
          }
        }
      }
    }
  }

  private void giveBack() {
    try {
      collect();
      held.close();
    } finally {
      Reference.reachabilityFence(this); // before that it is not lost
    }
  }
}
