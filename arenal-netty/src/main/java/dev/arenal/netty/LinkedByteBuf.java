package dev.arenal.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;

/**
 * A buffer of an allocator that is Netty's own. Never used here: the agent copies it to where a
 * program has its Netty, and finds {@link #newBuffer} there by its name.
 */
final class LinkedByteBuf extends AbstractPageByteBuf {
  private final ByteBufAllocator alloc;

  private LinkedByteBuf(ByteBufAllocator alloc, Object page, int capacity, int maxCapacity) {
    super(page, LinkedPages.segment(page), capacity, maxCapacity);
    this.alloc = alloc;
  }

  /** A buffer of that allocator, not watched for leaks yet. */
  static ByteBuf newBuffer(ByteBufAllocator alloc, int capacity, int maxCapacity) {
    Object page = allocatePage(capacity, maxCapacity);
    ByteBuf buffer = null;
    try {
      buffer = new LinkedByteBuf(alloc, page, capacity, maxCapacity);
      return buffer;
    } finally {
      if (buffer == null) { // the Java heap is full
        LinkedPages.close(page);
      }
    }
  }

  private static Object allocatePage(int capacity, int maxCapacity) {
    // Netty may be told not to compare the two.
    long sizeBytes = Math.min(LinkedPages.roundUp(capacity), maxCapacity);
    return LinkedPages.allocate(Math.max(capacity, sizeBytes));
  }

  @Override
  public ByteBufAllocator alloc() {
    return alloc;
  }

  @Override
  Object allocatePage(int newCapacity) {
    return allocatePage(newCapacity, maxCapacity());
  }

  @Override
  MemorySegment segment(Object ofPage) {
    return LinkedPages.segment(ofPage);
  }

  @Override
  void close(Object lastPage) {
    LinkedPages.close(lastPage);
  }
}
