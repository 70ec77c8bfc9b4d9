package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import io.netty.buffer.AbstractByteBufTest;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Netty's own tests of a buffer. */
abstract class BufferContract extends AbstractByteBufTest {
  private static final PageAllocator PAGES = Pages.open();
  private static final ArenalByteBufAllocator ALLOCATOR = new ArenalByteBufAllocator(PAGES, true);

  /** A buffer that one of them forgets shows here. */
  @AfterAll
  static void noneIsLeft() {
    assertThat(PAGES.usedBytes()).isZero();
  }

  @Override
  protected ByteBuf newBuffer(int capacity, int maxCapacity) {
    ByteBuf buffer = ALLOCATOR.directBuffer(capacity, maxCapacity);
    assertThat(buffer.writerIndex()).isZero();
    return buffer;
  }

  /** Says of a pool that it has more room than it was asked for, as in Netty's tests of its own. */
  @Override
  @Test
  public void testMaxFastWritableBytes() {
    ByteBuf buffer = newBuffer(150, 500).writerIndex(100);
    assertThat(buffer.writableBytes()).isEqualTo(50);
    assertThat(buffer.capacity()).isEqualTo(150);
    assertThat(buffer.maxCapacity()).isEqualTo(500);
    assertThat(buffer.maxWritableBytes()).isEqualTo(400);
    assertThat(buffer.maxFastWritableBytes()).isEqualTo(60); // to the end of a slot of 160 bytes
    assertThat(buffer.release()).isTrue();
  }
}
