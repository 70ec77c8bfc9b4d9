package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import io.netty.buffer.AbstractByteBufAllocatorTest;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Netty's own tests of an allocator. */
final class NettyAllocatorContractTest
    extends AbstractByteBufAllocatorTest<ArenalByteBufAllocator> {
  private final PageAllocator pages = Pages.open();

  /** A buffer that one of Netty's tests forgets shows here. */
  @AfterEach
  void closePages() {
    pages.close();
  }

  @Override
  protected ArenalByteBufAllocator newAllocator(boolean preferDirect) {
    return new ArenalByteBufAllocator(pages, preferDirect);
  }

  /** There is no such thing; see {@link #testUnsafeHeapBufferAndUnsafeDirectBuffer}. */
  @Override
  protected ArenalByteBufAllocator newUnpooledAllocator() {
    return newAllocator(false);
  }

  @Override
  protected boolean isDirectExpected(boolean preferDirect) {
    return preferDirect;
  }

  /** Netty's own says which classes its unpooled allocator has. */
  @Override
  @Test
  public void testUnsafeHeapBufferAndUnsafeDirectBuffer() {
    ArenalByteBufAllocator allocator = newUnpooledAllocator();
    ByteBuf direct = allocator.directBuffer();
    assertInstanceOf(direct, PageByteBuf.class);
    assertThat(direct.release()).isTrue();
    ByteBuf reference = new AdaptiveByteBufAllocator(false).heapBuffer();
    ByteBuf heap = allocator.heapBuffer();
    assertInstanceOf(heap, unwrapped(reference).getClass());
    assertThat(heap.release()).isTrue();
    assertThat(reference.release()).isTrue();
  }

  /** One buffer in 128 is watched. */
  private static ByteBuf unwrapped(ByteBuf buffer) {
    return buffer.getClass().getSimpleName().contains("LeakAware") ? buffer.unwrap() : buffer;
  }

  /** Direct ones are counted to the byte, heap ones as Netty counts them. */
  @Override
  protected long expectedUsedMemory(ArenalByteBufAllocator allocator, int capacity) {
    return allocator.metric().usedHeapMemory() == 0 ? capacity : usedByNetty(capacity, false);
  }

  @Override
  protected long expectedUsedMemoryAfterRelease(ArenalByteBufAllocator allocator, int capacity) {
    return allocator.metric().usedHeapMemory() == 0 ? 0 : usedByNetty(capacity, true);
  }

  private static long usedByNetty(int capacity, boolean isReleased) {
    AdaptiveByteBufAllocator netty = new AdaptiveByteBufAllocator(false);
    ByteBuf buffer = netty.heapBuffer(1024, 4096).capacity(capacity);
    if (isReleased) {
      assertThat(buffer.release()).isTrue();
    }
    long usedBytes = netty.metric().usedHeapMemory();
    if (!isReleased) {
      assertThat(buffer.release()).isTrue();
    }
    return usedBytes;
  }
}
