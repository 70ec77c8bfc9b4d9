package dev.arenal.netty;

import dev.arenal.page.PageBuffer;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;

/** A buffer of {@link ArenalByteBufAllocator}. */
final class PageByteBuf extends AbstractPageByteBuf {
  private final ArenalByteBufAllocator alloc;

  /** Owns the page from now on. */
  PageByteBuf(ArenalByteBufAllocator alloc, PageBuffer page, int capacity, int maxCapacity) {
    super(page, page.segment(), capacity, maxCapacity);
    this.alloc = alloc;
  }

  @Override
  public ByteBufAllocator alloc() {
    return alloc;
  }

  @Override
  Object allocatePage(int newCapacity) {
    return alloc.allocatePage(newCapacity, maxCapacity());
  }

  @Override
  MemorySegment segment(Object ofPage) {
    return ((PageBuffer) ofPage).segment();
  }

  @Override
  void close(Object lastPage) {
    ((PageBuffer) lastPage).close();
  }
}
