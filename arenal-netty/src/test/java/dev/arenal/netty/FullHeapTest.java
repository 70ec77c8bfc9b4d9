package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A Java heap that is full just when a buffer moves: the buffer stays, and nothing is lost. */
final class FullHeapTest {
  private static final int SIZE_BYTES = 100_000;

  private final PageAllocator pages = Pages.open();
  private final FullHeapByteBuf buffer =
      new FullHeapByteBuf(pages, pages.allocate(SIZE_BYTES, PageAge.SHORT_LIVED));

  @Test
  void growth_isRefused_andLosesNoPage() {
    int newCapacity = 10 * SIZE_BYTES;
    buffer.writeLong(42).setLong(SIZE_BYTES - Long.BYTES, 43);
    long address = buffer.memoryAddress();
    buffer.isHeapFull = true;
    assertThatThrownBy(() -> buffer.capacity(newCapacity))
        .isExactlyInstanceOf(OutOfMemoryError.class)
        .hasMessage("Java heap space");
    buffer.isHeapFull = false;
    assertThat(pages.usedBytes()).isEqualTo(SIZE_BYTES);
    assertThat(buffer.capacity()).isEqualTo(SIZE_BYTES);
    assertThat(buffer.memoryAddress()).isEqualTo(address);
    assertThat(buffer.getLong(0)).isEqualTo(42);
    assertThat(buffer.getLong(SIZE_BYTES - Long.BYTES)).isEqualTo(43);
    assertThat(buffer.writerIndex()).isEqualTo(Long.BYTES);
    assertThat(buffer.capacity(newCapacity).capacity()).isEqualTo(newCapacity);
    assertThat(buffer.memoryAddress()).isNotEqualTo(address);
    assertThat(buffer.getLong(0)).isEqualTo(42);
    assertThat(buffer.release()).isTrue();
    assertThat(pages.usedBytes()).isZero();
    pages.close();
  }

  /** As of a checked page that a channel uses just then. */
  @Test
  void closeOfTheLastPage_isRefused_andTheBufferIsWholeInTheNewOne() {
    buffer.writeLong(42).writerIndex(SIZE_BYTES);
    buffer.isInUse = true;
    int newCapacity = 10 * SIZE_BYTES;
    assertThatThrownBy(() -> buffer.capacity(newCapacity))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("in use");
    buffer.isInUse = false;
    assertThat(buffer.capacity()).isEqualTo(newCapacity);
    assertThat(buffer.writerIndex()).isEqualTo(SIZE_BYTES);
    assertThat(buffer.getLong(0)).isEqualTo(42);
    assertThat(buffer.setByte(newCapacity - 1, 1).getByte(newCapacity - 1)).isEqualTo((byte) 1);
    assertThat(buffer.release()).isTrue();
    assertThat(pages.usedBytes()).isEqualTo(SIZE_BYTES); // the page that is in use
  }

  /** One whose segments, which are objects of the Java heap, can be refused. */
  private static final class FullHeapByteBuf extends AbstractPageByteBuf {
    private final PageAllocator pages;
    private boolean isHeapFull;
    private boolean isInUse;

    FullHeapByteBuf(PageAllocator pages, PageBuffer page) {
      super(page, page.segment(), SIZE_BYTES, Integer.MAX_VALUE);
      this.pages = pages;
    }

    @Override
    public ByteBufAllocator alloc() {
      return ByteBufAllocator.DEFAULT;
    }

    @Override
    Object allocatePage(int newCapacity) {
      return pages.allocate(newCapacity, PageAge.SHORT_LIVED);
    }

    @Override
    MemorySegment segment(Object ofPage) {
      if (isHeapFull) {
        throw new OutOfMemoryError("Java heap space");
      }
      return ((PageBuffer) ofPage).segment();
    }

    @Override
    void close(Object lastPage) {
      if (isInUse) {
        throw new IllegalStateException("in use");
      }
      ((PageBuffer) lastPage).close();
    }
  }
}
