package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers of Arrow in pages of ours, as long as there is room. */
final class ArenalAllocationManagerTest {
  private static final int MIB = 1 << 20;

  private final PageAllocator pages = Roots.pages();

  @AfterEach
  void closePages() {
    pages.close();
  }

  // ---- sizes ----

  @ParameterizedTest
  @ValueSource(longs = {3, 8, 64, 100, 4096, 8193, 300_000, 5 << 20, (16 << 20) - 1})
  void buffer_isAsLargeAsArrowRoundsIt(long wantedBytes) {
    try (BufferAllocator root = Roots.over(pages);
        ArrowBuf buffer = root.buffer(wantedBytes)) {
      long roundedBytes =
          Long.highestOneBit(wantedBytes) == wantedBytes
              ? wantedBytes
              : 2 * Long.highestOneBit(wantedBytes);
      assertThat(buffer.capacity()).isEqualTo(roundedBytes);
      assertThat(buffer.getActualMemoryConsumed()).isEqualTo(roundedBytes);
      assertThat(root.getAllocatedMemory()).isEqualTo(roundedBytes);
      assertThat(pages.usedBytes()).isEqualTo(roundedBytes);
      assertThat(buffer.memoryAddress() % 64).isZero();
      buffer.setByte(0, 7);
      buffer.setByte(roundedBytes - 1, 9);
      assertThat(buffer.getByte(roundedBytes - 1)).isEqualTo((byte) 9);
    }
    assertThat(pages.usedBytes()).isZero();
  }

  /** From 16 MiB on Arrow does not round. */
  @Test
  void largeBuffer_isAsLargeAsItIsAskedFor() {
    try (BufferAllocator root = Roots.over(pages);
        ArrowBuf buffer = root.buffer(16 * MIB + 1)) {
      assertThat(buffer.capacity()).isEqualTo(16 * MIB + 1);
      assertThat(pages.usedBytes()).isEqualTo(16 * MIB + 1);
    }
  }

  @Test
  void anotherRounding_isFollowed_andBuffersAreAligned() {
    try (BufferAllocator root = Roots.over(pages, sizeBytes -> sizeBytes);
        ArrowBuf first = root.buffer(100);
        ArrowBuf second = root.buffer(100);
        ArrowBuf third = root.buffer(10_001)) {
      assertThat(first.capacity()).isEqualTo(100);
      assertThat(third.capacity()).isEqualTo(10_001);
      assertThat(first.memoryAddress() % 64).isZero();
      assertThat(second.memoryAddress() % 64).isZero();
      assertThat(third.memoryAddress() % 64).isZero();
      assertThat(pages.usedBytes()).isEqualTo(10_201);
    }
  }

  @Test
  void emptyBuffer_takesNothing_andIsReleasedAtNoCost() {
    try (BufferAllocator root = Roots.over(pages);
        ArrowBuf buffer = root.buffer(0)) {
      assertThat(buffer.capacity()).isZero();
      assertThat(buffer).isSameAs(root.getEmpty());
      assertThat(buffer.getReferenceManager().getRefCount()).isOne();
      assertThat(root.getAllocatedMemory()).isZero();
      assertThat(pages.usedBytes()).isZero();
      assertThatThrownBy(() -> buffer.getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void negativeSize_isRefused_andChangesNothing() {
    try (BufferAllocator root = Roots.over(pages)) {
      AllocationManager.Factory factory = ArenalAllocationManager.factory(pages);
      assertThatThrownBy(() -> factory.create(root, -1))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("size is negative: allocator=test, sizeBytes=-1 (expected 0 or more)");
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  // ---- owners ----

  @Test
  void slicesAndChildren_keepTheMemory_untilTheLastOfThemIsReleased() {
    try (BufferAllocator root = Roots.over(pages);
        BufferAllocator one = root.newChildAllocator("one", 0, Long.MAX_VALUE);
        BufferAllocator two = root.newChildAllocator("two", 0, Long.MAX_VALUE)) {
      ArrowBuf buffer = one.buffer(4096);
      buffer.setInt(8, 42);
      ArrowBuf moved =
          buffer.getReferenceManager().transferOwnership(buffer, two).getTransferredBuffer();
      buffer.close();
      assertThat(one.getAllocatedMemory()).isZero();
      assertThat(two.getAllocatedMemory()).isEqualTo(4096);
      ArrowBuf slice = moved.slice(8, 4);
      slice.getReferenceManager().retain();
      moved.close();
      assertThat(slice.getInt(0)).isEqualTo(42);
      assertThat(pages.usedBytes()).isEqualTo(4096);
      slice.close();
      assertThat(pages.usedBytes()).isZero();
    }
  }

  @Test
  void buffer_isReleasedByAnyThread() throws Exception {
    try (BufferAllocator root = Roots.over(pages)) {
      ArrowBuf buffer = root.buffer(256);
      Thread thread = Thread.ofVirtual().start(buffer::close);
      thread.join();
      assertThat(pages.usedBytes()).isZero();
      assertThat(root.getAllocatedMemory()).isZero();
    }
  }

  @Test
  void buffer_isReleasedOnce() {
    try (BufferAllocator root = Roots.over(pages)) {
      ArrowBuf buffer = root.buffer(256);
      buffer.close();
      ArrowBuf another = root.buffer(256);
      another.setInt(0, 7);
      assertThatThrownBy(buffer::close).isInstanceOf(IllegalStateException.class);
      assertThat(another.getInt(0)).isEqualTo(7);
      another.close();
    }
  }

  @Test
  void vectors_growAndKeepTheirValues() {
    try (BufferAllocator root = Roots.over(pages);
        IntVector numbers = new IntVector("numbers", root);
        VarCharVector texts = new VarCharVector("texts", root)) {
      for (int i = 0; i < 100_000; i++) {
        numbers.setSafe(i, i);
        texts.setSafe(i, new byte[] {(byte) i, (byte) (i >> 8)});
      }
      assertThat(pages.usedBytes()).isEqualTo(root.getAllocatedMemory());
      for (int i = 0; i < 100_000; i++) {
        if (numbers.get(i) != i || texts.get(i)[1] != (byte) (i >> 8)) {
          throw new AssertionError("another value: index=" + i);
        }
      }
    }
    assertThat(pages.usedBytes()).isZero();
  }

  // ---- pages of all kinds ----

  @Test
  void zeroedPages_giveZeroedBuffers() {
    PageAllocator zeroed =
        PageAllocator.builder("zeroed").capacityBytes(64 * MIB).zeroed(true).build();
    try (BufferAllocator root = Roots.over(zeroed)) {
      for (int i = 0; i < 100; i++) {
        try (ArrowBuf buffer = root.buffer(512)) {
          assertThat(buffer.getLong(504)).isZero();
          buffer.setOne(0L, 512L);
        }
      }
    }
    zeroed.close();
  }

  @Test
  void checkedPages_work() {
    PageAllocator checked =
        PageAllocator.builder("checked").capacityBytes(64 * MIB).checked(true).build();
    try (BufferAllocator root = Roots.over(checked);
        ArrowBuf buffer = root.buffer(512)) {
      buffer.setLong(0, 42);
      assertThat(buffer.getLong(0)).isEqualTo(42);
    }
    checked.close();
  }

  /** Buffers of the two ages do not share pages. */
  @Test
  void age_decidesAboutThePage() {
    try (BufferAllocator shortLived = Roots.over(pages);
        BufferAllocator longLived =
            Roots.over(ArenalAllocationManager.factory(pages, PageAge.LONG_LIVED));
        ArrowBuf first = shortLived.buffer(512);
        ArrowBuf second = longLived.buffer(512)) {
      assertThat(first.memoryAddress() >> 21).isNotEqualTo(second.memoryAddress() >> 21);
      assertThat(pages.report().toString()).contains("pages: 2 small, ");
    }
  }

  @Test
  void factory_forTheWholeProgram_hasPagesOfItsOwn() {
    try (BufferAllocator root = Roots.over(ArenalAllocationManager.FACTORY);
        ArrowBuf buffer = root.buffer(512)) {
      buffer.setLong(0, 42);
      assertThat(buffer.getLong(0)).isEqualTo(42);
      assertThat(SharedPages.get().usedBytes()).isEqualTo(512);
      assertThat(SharedPages.get().name()).isEqualTo("arrow");
      assertThat(pages.usedBytes()).isZero();
    }
    assertThat(SharedPages.get().usedBytes()).isZero();
  }

  @Test
  void nulls_areRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> ArenalAllocationManager.factory(nothing()))
        .withMessage("pages");
    assertThatNullPointerException()
        .isThrownBy(() -> ArenalAllocationManager.factory(pages, nothing()))
        .withMessage("age");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as callers without annotations
  private static <T> T nothing() {
    return null;
  }
}
