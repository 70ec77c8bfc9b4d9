package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An arena that all threads use, without a lock: no thread waits for one that waits for memory.
 *
 * <p>The fast path moves the pointer of a region by compare-and-set. A thread that finds no room
 * asks the allocator for a buffer and links it, so that the close finds it. If the arena has been
 * closed meanwhile, the list says so, and the thread closes the buffer itself. If another thread
 * has brought a region meanwhile, that is used, and the buffer goes back.
 *
 * <p>No handle of a field is used: its first use wants Java heap, also that of a close.
 */
@SuppressWarnings("ReferenceEquality") // of buffers and a mark
final class SharedPageArena extends PageArena {
  /** In {@link #buffers}: the arena is closed, and takes none. */
  private static final Object CLOSED = "closed";

  private volatile Region region = new Region(0, 0);

  /** The newest buffer, linked to the others; null if there is none, or {@link #CLOSED}. */
  private final AtomicReference<@Nullable Object> buffers = new AtomicReference<>();

  SharedPageArena(PageAllocator pages) {
    super(pages, Arena.ofShared(), true);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (((byteSize - 1) >>> 32) != 0
        || byteAlignment <= 0
        || byteAlignment > LARGEST_SMALL_BYTES
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return allocateSlow(byteSize, byteAlignment);
    }
    Region current = region;
    long blockBytes = (byteSize + 7) & -8L;
    long start = current.bump(blockBytes, byteAlignment);
    return start == 0
        ? allocateSlow(byteSize, byteAlignment)
        : segmentIn(current, start, byteSize, blockBytes);
  }

  /** If the arena is closed by now this throws, and the block is never written to. */
  private MemorySegment segmentIn(Region current, long start, long byteSize, long blockBytes) {
    boolean isDone = false;
    try {
      MemorySegment segment = NativeMemory.segment(start, byteSize, inner);
      isDone = true;
      return segment;
    } finally {
      if (!isDone && StackReserve.isThere()) { // else, or if others have bumped, it is a gap
        var _ = current.top.compareAndSet(start + blockBytes, start);
      }
    }
  }

  @Override
  @Nullable MemorySegment allocateInRegion(long byteSize, long byteAlignment, long blockBytes) {
    Region current = region;
    long start = current.bump(blockBytes, byteAlignment);
    return start == 0 ? null : segmentIn(current, start, byteSize, blockBytes);
  }

  @Override
  boolean link(PageBuffer buffer, long top) {
    Region own = top == 0 ? null : new Region(top, buffer.address + buffer.sizeBytes);
    Object head = buffers.get();
    while (head != CLOSED) {
      buffer.nextPending = (PageBuffer) head;
      if (buffers.compareAndSet(head, buffer)) {
        if (own != null) {
          region = own;
        }
        return true;
      }
      head = buffers.get();
    }
    buffer.nextPending = null;
    return false;
  }

  @Override
  void collect() {
    if (buffers.get() != CLOSED) {
      held.first = (PageBuffer) buffers.getAndSet(CLOSED);
    }
  }

  /** A buffer and its bump pointer, which only grows, but for a block without a segment. */
  private static final class Region {
    final AtomicLong top;
    private final long limit;

    Region(long top, long limit) {
      this.top = new AtomicLong(top);
      this.limit = limit;
    }

    /** The address of a block, or 0 where there is no room. */
    long bump(long blockBytes, long byteAlignment) {
      while (true) {
        long seen = top.get();
        long start = alignUp(seen, byteAlignment);
        if (start + blockBytes > limit) {
          return 0;
        }
        if (top.compareAndSet(seen, start + blockBytes)) {
          return start;
        }
        Thread.onSpinWait();
      }
    }
  }
}
