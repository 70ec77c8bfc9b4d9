package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The parts that are ours, which Netty's own tests of allocators do not know. */
final class ArenalByteBufAllocatorTest {
  private static final int MIB = 1 << 20;

  private final PageAllocator pages = Pages.open();
  private final ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);

  @AfterEach
  void closePages() {
    pages.close();
  }

  // ---- growing ----

  @Test
  void buffer_growsWhereItIs_asFarAsItsSlotReaches() {
    ByteBuf buffer = allocator.directBuffer(300);
    assertThat(buffer.capacity()).isEqualTo(300);
    assertThat(buffer.maxFastWritableBytes()).isEqualTo(320);
    buffer.writeLong(42).writerIndex(300);
    long address = buffer.memoryAddress();
    ByteBuffer seen = buffer.internalNioBuffer(0, 300);
    buffer.writeLong(43); // Netty asks for what is there
    assertThat(buffer.capacity()).isEqualTo(320);
    assertThat(buffer.memoryAddress()).isEqualTo(address);
    assertThat(buffer.internalNioBuffer(0, 320)).isSameAs(seen);
    buffer.writerIndex(320).writeLong(44);
    assertThat(buffer.capacity()).isEqualTo(512);
    assertThat(buffer.memoryAddress()).isNotEqualTo(address);
    assertThat(buffer.internalNioBuffer(0, 320)).isNotSameAs(seen);
    assertThat(buffer.readLong()).isEqualTo(42);
    assertThat(buffer.getLong(300)).isEqualTo(43);
    assertThat(buffer.getLong(320)).isEqualTo(44);
    assertThat(pages.usedBytes()).isEqualTo(512);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void bufferThatMayNotGrow_takesNoMoreThanItsCapacity() {
    ByteBuf buffer = allocator.directBuffer(300, 300);
    assertThat(pages.usedBytes()).isEqualTo(300);
    assertThat(buffer.maxFastWritableBytes()).isEqualTo(300);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void shrunkBuffer_staysWhereItIs_andGrowsThereAgain() {
    ByteBuf buffer = allocator.directBuffer(100_000).writerIndex(100_000).setInt(0, 7);
    long address = buffer.memoryAddress();
    long usedBytes = pages.usedBytes();
    buffer.capacity(1000);
    assertThat(buffer.memoryAddress()).isEqualTo(address);
    assertThat(buffer.writerIndex()).isEqualTo(1000);
    assertThat(buffer.getInt(0)).isEqualTo(7);
    assertThat(pages.usedBytes()).isEqualTo(usedBytes);
    buffer.capacity(100_000);
    assertThat(buffer.memoryAddress()).isEqualTo(address);
    assertThat(pages.usedBytes()).isEqualTo(usedBytes);
    assertThat(buffer.release()).isTrue();
  }

  /** Of a page of its own it has all. */
  @Test
  void largeBuffer_growsByStepsOf2MiB_whereItIs() {
    ByteBuf buffer = allocator.directBuffer(30 * MIB + 1);
    assertThat(buffer.maxFastWritableBytes()).isEqualTo(32 * MIB);
    long address = buffer.memoryAddress();
    assertThat(buffer.capacity(32 * MIB).memoryAddress()).isEqualTo(address);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void emptyBuffer_grows() {
    ByteBuf buffer = allocator.directBuffer(0).writeByte(9);
    assertThat(buffer.readByte()).isEqualTo((byte) 9);
    assertThat(buffer.release()).isTrue();
  }

  // ---- no room ----

  @Test
  void noRoom_changesNothing() {
    PageAllocator small =
        PageAllocator.builder("small").capacityBytes(8 * MIB).zeroed(false).build();
    ArenalByteBufAllocator narrow = new ArenalByteBufAllocator(small, true);
    ByteBuf buffer = narrow.directBuffer(MIB).writeInt(7);
    assertThatThrownBy(() -> narrow.directBuffer(9 * MIB))
        .isExactlyInstanceOf(OutOfNativeMemoryError.class)
        .hasMessageStartingWith("no room: allocator=small, requestedBytes=9437184, ");
    assertThatThrownBy(() -> buffer.capacity(9 * MIB))
        .isExactlyInstanceOf(OutOfNativeMemoryError.class)
        .hasMessageStartingWith("no room: allocator=small, requestedBytes=9437184, ");
    assertThat(buffer.capacity()).isEqualTo(MIB);
    assertThat(buffer.readInt()).isEqualTo(7);
    assertThat(buffer.release()).isTrue();
    small.close();
  }

  // ---- the end ----

  @Test
  void closeWhileNettyHoldsBuffers_isRefused_andSaysWho() {
    ByteBuf buffer = allocator.directBuffer(256);
    assertThatThrownBy(pages::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageMatching( // one buffer in 128 is watched
            "allocator has open buffers or arenas: allocator=test, usedBytes=256, users=\\[Netty]"
                + "(, openBuffers=\\[.*] \\(close them first\\)| \\(close them first;"
                + " -Darenal.leaks=all shows where each was allocated\\))");
    assertThat(buffer.writeInt(7).readInt()).isEqualTo(7);
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void directBufferOfAClosedAllocator_isRefused() {
    PageAllocator closed = Pages.open();
    closed.close();
    assertThatThrownBy(() -> new ArenalByteBufAllocator(closed, true).buffer())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("allocator is closed: allocator=test");
  }

  @Test
  void releasedBuffer_refuses() {
    ByteBuf buffer = allocator.directBuffer(256);
    ByteBuf slice = buffer.slice(0, 8);
    assertThat(buffer.release()).isTrue();
    assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::memoryAddress).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.getInt(0)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> slice.getInt(0)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.capacity(1)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(() -> buffer.nioBuffer(0, 8))
        .isInstanceOf(IllegalReferenceCountException.class);
  }

  @Test
  void buffer_isReleasedByAnyThread() throws Exception {
    ByteBuf buffer = allocator.directBuffer(256);
    Thread thread = Thread.ofPlatform().start(() -> assertThat(buffer.release()).isTrue());
    thread.join();
    assertThat(pages.usedBytes()).isZero();
  }

  // ---- what it is made of ----

  @Test
  void addressAndNioBuffers_showTheSameMemory() {
    ByteBuf buffer = allocator.directBuffer(256).writeInt(0x01020304).writeInt(0x05060708);
    assertThat(buffer.hasMemoryAddress()).isTrue();
    assertThat(buffer.nioBufferCount()).isOne();
    ByteBuffer nio = buffer.nioBuffer(4, 4);
    assertThat(nio.getInt(0)).isEqualTo(0x05060708);
    assertThat(MemorySegment.ofBuffer(nio).address()).isEqualTo(buffer.memoryAddress() + 4);
    nio.putInt(0, 9);
    assertThat(buffer.getInt(4)).isEqualTo(9);
    assertThat(buffer.internalNioBuffer(0, 8)).isSameAs(buffer.internalNioBuffer(4, 4));
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void readOnlyTargets_areRefused() {
    ByteBuf buffer = allocator.directBuffer(256).writeLong(7);
    ByteBuf target = allocator.directBuffer(8, 8);
    assertThatThrownBy(() -> buffer.getBytes(0, target.asReadOnly(), 0, 8))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> buffer.getBytes(0, target.nioBuffer(0, 8).asReadOnlyBuffer()))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThat(target.release()).isTrue();
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void text_isWrittenAndFound() {
    ByteBuf buffer = allocator.buffer();
    assertThat(ByteBufUtil.writeUtf8(buffer, "grüße")).isEqualTo(7);
    assertThat(buffer.toString(StandardCharsets.UTF_8)).isEqualTo("grüße");
    assertThat(buffer.indexOf(0, 7, (byte) 'e')).isEqualTo(6);
    assertThat(ByteBufUtil.equals(buffer, Unpooled.copiedBuffer("grüße", StandardCharsets.UTF_8)))
        .isTrue();
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void preferredKind_isThatOfBuffer_andIoIsDirect() {
    ArenalByteBufAllocator heapFirst = new ArenalByteBufAllocator(pages, false);
    for (ByteBuf direct :
        new ByteBuf[] {
          allocator.buffer(10),
          allocator.ioBuffer(10),
          heapFirst.directBuffer(10),
          heapFirst.ioBuffer(10)
        }) {
      assertThat(direct.isDirect()).isTrue();
      assertThat(direct.release()).isTrue();
    }
    ByteBuf heap = heapFirst.buffer(10);
    assertThat(heap.hasArray()).isTrue();
    assertThat(heap.release()).isTrue();
    assertThat(allocator.isDirectBufferPooled()).isTrue();
  }

  @Test
  void buffer_knowsItsAllocator() {
    ByteBuf buffer = allocator.buffer(10);
    assertThat(buffer.alloc()).isSameAs(allocator);
    ByteBuf copy = buffer.copy();
    assertThat(copy.alloc()).isSameAs(allocator);
    assertThat(copy.release()).isTrue();
    assertThat(buffer.release()).isTrue();
  }

  @Test
  void default_isLimitedAsNettyIs_andCountsNothingBeforeItIsUsed() {
    assertThat(ArenalByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isZero();
    ByteBuf buffer = ArenalByteBufAllocator.DEFAULT.buffer(1000, 1000);
    assertThat(buffer.isDirect()).isTrue();
    assertThat(ArenalByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isEqualTo(1000);
    assertThat(buffer.release()).isTrue();
    assertThat(ArenalByteBufAllocator.DEFAULT.metric().usedDirectMemory()).isZero();
  }

  /** Its page is longer than a ByteBuffer can be; nothing of it is touched. */
  @Test
  void growableBufferOfTwoGigabytes_hasAnNioBuffer() {
    int capacity = Integer.MAX_VALUE - (1 << 20);
    try (PageAllocator large =
        PageAllocator.builder("large").capacityBytes(4L << 30).zeroed(false).build()) {
      ByteBuf buffer = new ArenalByteBufAllocator(large, true).directBuffer(capacity);
      assertThat(buffer.internalNioBuffer(0, 100).remaining()).isEqualTo(100);
      assertThat(buffer.internalNioBuffer(capacity - 1, 1).position()).isEqualTo(capacity - 1);
      assertThat(buffer.release()).isTrue();
    }
  }

  /** Programs log it, as they do with Netty's own. */
  @Test
  void metric_printsItsFigures() {
    ByteBuf buffer = allocator.directBuffer(1000, 1000);
    assertThat(allocator.metric())
        .hasToString("ArenalByteBufAllocatorMetric(usedHeapMemory: 0; usedDirectMemory: 1000)");
    assertThat(buffer.release()).isTrue();
  }

  /** One in 128 is watched by default, which wraps it. */
  @Test
  void watchedBuffer_wrapsOurs() {
    ResourceLeakDetector.Level usual = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    try {
      ByteBuf buffer = allocator.directBuffer(10);
      assertThat(buffer.unwrap()).isExactlyInstanceOf(PageByteBuf.class);
      assertThat(buffer.release()).isTrue();
    } finally {
      ResourceLeakDetector.setLevel(usual);
    }
  }
}
