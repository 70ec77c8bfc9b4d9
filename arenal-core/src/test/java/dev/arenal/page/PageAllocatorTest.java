package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of a buffer, and the errors of its misuse. */
final class PageAllocatorTest {
  private static PageAllocator open(long capacityBytes) {
    return PageAllocator.builder("test").capacityBytes(capacityBytes).build();
  }

  @Test
  void requestWithoutAge_isForOneThatIsGoneSoon() {
    try (PageAllocator pages = open(1 << 30)) {
      PageBuffer named = pages.allocate(100, PageAge.SHORT_LIVED);
      List<PageBuffer> buffers = new ArrayList<>(List.of(named, pages.allocate(100)));
      buffers.add(pages.allocate(100, 4096));
      buffers.add(pages.allocate(100, Duration.ZERO));
      buffers.add(Objects.requireNonNull(pages.tryAllocate(100)));
      buffers.add(Objects.requireNonNull(pages.tryAllocate(100, 512)));
      assertThat(buffers.get(2).segment().address() % 4096).isZero();
      assertThat(buffers.get(5).segment().address() % 512).isZero();
      long page = named.segment().address() / (2 << 20);
      assertThat(buffers.get(1).segment().address() / (2 << 20)).isEqualTo(page);
      assertThat(buffers.get(4).segment().address() / (2 << 20)).isEqualTo(page);
      buffers.add(pages.allocate(100, PageAge.LONG_LIVED));
      assertThat(buffers.getLast().segment().address() / (2 << 20)).isNotEqualTo(page);
      assertThat(pages.tryAllocate(2L << 30)).isNull();
      assertThat(pages.tryAllocate(2L << 30, 512)).isNull();
      assertThatThrownBy(() -> pages.allocate(2L << 30, Duration.ZERO))
          .isInstanceOf(OutOfNativeMemoryError.class);
      buffers.forEach(PageBuffer::close);
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        15,
        16,
        17,
        64,
        100,
        128,
        129,
        1000,
        4096,
        8192,
        8193,
        65_536,
        262_144,
        262_145,
        1_000_000,
        4 << 20,
        (4 << 20) + 1,
        10_000_001
      })
  void buffer_isZeroAsLargeAsAskedForAndAligned(long sizeBytes) {
    try (PageAllocator pages = open(1 << 30)) {
      for (int round = 0; round < 3; round++) {
        PageBuffer buffer = pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
        MemorySegment segment = buffer.segment();
        assertThat(segment.byteSize()).isEqualTo(sizeBytes).isEqualTo(buffer.sizeBytes());
        assertThat(segment.address() & 15).isZero();
        MemorySegment zeros = MemorySegment.ofArray(new byte[(int) sizeBytes]);
        assertThat(segment.mismatch(zeros)).isEqualTo(-1);
        segment.fill((byte) 7);
        assertThat(pages.usedBytes()).isEqualTo(sizeBytes);
        buffer.close();
        assertThat(pages.usedBytes()).isZero();
        pages.state().verify();
      }
    }
  }

  @Test
  void buffer_closedTwice_isRefusedAndHarmless() {
    try (PageAllocator pages = open(1 << 26)) {
      PageBuffer buffer = pages.allocate(100, PageAge.SHORT_LIVED);
      String address = Long.toHexString(buffer.segment().address());
      buffer.close();
      String thread = Thread.currentThread().getName();
      assertThatThrownBy(buffer::close)
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage(
              "buffer is already closed: allocator=test, address=0x"
                  + address
                  + ", sizeBytes=100, thread="
                  + thread
                  + " (close it once, where it was last used)");
      assertThatThrownBy(buffer::segment)
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage(
              "buffer is closed: allocator=test, address=0x"
                  + address
                  + ", sizeBytes=100, thread="
                  + thread);
      pages.state().verify();
    }
  }

  @Test
  void close_withOpenBuffers_isRefused() {
    PageAllocator pages = open(1 << 26);
    PageBuffer buffer = pages.allocate(100, PageAge.LONG_LIVED);
    assertThatThrownBy(pages::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageMatching( // one buffer in 128 is watched
            "allocator has open buffers or arenas: allocator=test, usedBytes=100(,"
                + " openBuffers=\\[.*] \\(close them first\\)| \\(close them first;"
                + " -Darenal.leaks=all shows where each was allocated\\))");
    pages.allocate(1_000_000, PageAge.SHORT_LIVED).close();
    buffer.close();
    pages.close();
    pages.close();
    assertThatThrownBy(() -> pages.allocate(1, PageAge.SHORT_LIVED))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("allocator is closed: allocator=test");
  }

  /** So that a channel that reads into it counts nothing: there is nothing to count. */
  @Test
  void segments_liveForEver_andBuffersAreNotCopied() {
    try (PageAllocator pages = open(1 << 26)) {
      PageBuffer buffer = pages.allocate(1000, PageAge.SHORT_LIVED);
      assertThat(buffer.segment().scope()).isEqualTo(Arena.global().scope());
      ByteBuffer bytes = buffer.asByteBuffer();
      assertThat(bytes.isDirect()).isTrue();
      assertThat(bytes.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
      assertThat(bytes.capacity()).isEqualTo(1000);
      bytes.put(999, (byte) 7);
      assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 7);
      buffer.close();
      assertThatThrownBy(buffer::asByteBuffer)
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("buffer is closed: allocator=test, address=0x");
    }
  }

  @Test
  void asByteBuffer_ofMoreThanAnIntSays_isRefused() {
    try (PageAllocator pages = open(3L << 30)) {
      PageBuffer buffer = pages.allocate(1L << 31, PageAge.SHORT_LIVED);
      assertThatThrownBy(buffer::asByteBuffer)
          .isExactlyInstanceOf(UnsupportedOperationException.class)
          .hasMessageMatching(
              "buffer is too large for a ByteBuffer: allocator=test, address=0x[0-9a-f]+,"
                  + " sizeBytes=2147483648, thread=.* \\(expected at most 2147483639 bytes; use"
                  + " its segment\\)");
      buffer.close();
    }
  }

  @Test
  void checked_staleSegment_fails() {
    try (PageAllocator pages = PageAllocator.builder("pages").checked(true).build()) {
      PageBuffer buffer = pages.allocate(100, PageAge.SHORT_LIVED);
      MemorySegment segment = buffer.segment();
      segment.set(ValueLayout.JAVA_BYTE, 99, (byte) 1);
      buffer.close();
      assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("Already closed");
    }
  }

  @Test
  void allocate_beyondTheCapacity_failsWithTheFigures() {
    try (PageAllocator pages = open(8 << 20)) {
      PageBuffer buffer = pages.allocate(5 << 20, PageAge.SHORT_LIVED);
      assertThat(pages.tryAllocate(5 << 20, PageAge.SHORT_LIVED)).isNull();
      assertThatThrownBy(() -> pages.allocate(5 << 20, PageAge.SHORT_LIVED, Duration.ofMillis(20)))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class)
          .extracting(e -> String.valueOf(e.getMessage()).replaceAll(" from .* s]", " from PLACE]"))
          .isEqualTo(
              "no room: allocator=test, requestedBytes=5242880, age=SHORT_LIVED, usedBytes=5242880,"
                  + " pageBytes=6291456, capacityBytes=8388608, committedBytes=6291456,"
                  + " budget=Budget[name=test, limitBytes=none, committedBytes=6291456],"
                  + " maxWaitMillis=20, openBuffers=[1 x 5242880 B SHORT_LIVED from PLACE] (close"
                  + " buffers, raise the limit of the budget, or build with a larger capacity)");
      buffer.close();
      pages.state().verify();
    }
  }

  @Test
  void allocate_waits_untilSomethingIsFreed() throws InterruptedException {
    try (PageAllocator pages = open(8 << 20)) {
      PageBuffer first = pages.allocate(5 << 20, PageAge.SHORT_LIVED);
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  pages.allocate(5 << 20, PageAge.SHORT_LIVED, Duration.ofSeconds(30)).close());
      while (pages.report().waitingThreadCount() == 0) {
        Thread.onSpinWait();
      }
      first.close();
      thread.join(30_000);
      assertThat(thread.isAlive()).isFalse();
      pages.state().verify();
    }
  }

  @Test
  void smallBuffers_fillTheCapacity_toTheLastHole() {
    try (PageAllocator pages = open(8 << 20)) {
      List<PageBuffer> buffers = new ArrayList<>();
      PageBuffer buffer = pages.tryAllocate(100, PageAge.SHORT_LIVED);
      while (buffer != null) {
        buffers.add(buffer);
        buffer = pages.tryAllocate(100, PageAge.SHORT_LIVED);
      }
      assertThat(pages.usedBytes()).isGreaterThan(7 << 20);
      pages.state().verify();
      buffers.forEach(PageBuffer::close);
      pages.state().verify();
      assertThat(pages.report().usedBytes()).isZero();
    }
  }

  @Test
  void randomBuffers_keepTheirContents_andTrimGivesAllBack() {
    SplittableRandom random = new SplittableRandom(42);
    try (PageAllocator pages = open(256 << 20)) {
      List<PageBuffer> open = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        long sizeBytes = (long) Math.exp(random.nextDouble() * 15);
        PageAge age = random.nextBoolean() ? PageAge.SHORT_LIVED : PageAge.LONG_LIVED;
        PageBuffer buffer = pages.tryAllocate(sizeBytes, age);
        if (buffer != null) {
          mark(buffer, i);
          open.add(buffer);
        }
        if (buffer == null || open.size() > 300) {
          PageBuffer victim = open.remove(random.nextInt(open.size()));
          victim.close();
        }
        if (i % 1000 == 0) {
          pages.trim();
          pages.state().verify();
          open.forEach(PageAllocatorTest::check);
        }
      }
      open.forEach(PageAllocatorTest::check);
      open.forEach(PageBuffer::close);
      pages.trim();
      pages.state().verify();
      assertThat(pages.committedBytes()).isZero();
    }
  }

  /** More than one batch of discards, in pages that hold nothing but runs. */
  @Test
  void trim_givesBackAllSlotsBesideSurvivors() {
    try (PageAllocator pages = open(1 << 30)) {
      List<PageBuffer> survivors = new ArrayList<>();
      List<PageBuffer> others = new ArrayList<>();
      for (int i = 0; i < 10_240; i++) {
        (i % 8 == 0 ? survivors : others).add(pages.allocate(8 << 10));
      }
      others.forEach(PageBuffer::close);
      assertThat(pages.trim()).isGreaterThan(60 << 20);
      assertThat(pages.committedBytes()).isLessThan(pages.usedBytes() + (4 << 20));
      survivors.forEach(PageBuffer::close);
    }
  }

  /** Buffers that it closes go to racks and spare pages first. */
  @Test
  void reclaimerThatOnlyCloses_helps() {
    Budget budget = Budget.limitedTo("budget", 8 << 20);
    Deque<PageBuffer> open = new ArrayDeque<>();
    try (PageAllocator pages =
            PageAllocator.builder("test").capacityBytes(64 << 20).budget(budget).build();
        Budget.Registration _ =
            budget.addReclaimer(_ -> {
              for (int i = 0; i < 64 && !open.isEmpty(); i++) {
                open.removeLast().close();
              }
              return 1;
            })) {
      while (budget.availableBytes() > 0) {
        open.add(pages.allocate(64 << 10));
      }
      assertThat(open).hasSizeGreaterThan(90);
      pages.allocate(3 << 20).close();
      open.forEach(PageBuffer::close);
    }
  }

  /** It would hold up all others. */
  @Test
  void requestAboveTheLimit_doesNotWait() {
    Budget budget = Budget.limitedTo("budget", 8 << 20);
    try (PageAllocator pages =
        PageAllocator.builder("test").capacityBytes(64 << 20).budget(budget).build()) {
      long startNanos = System.nanoTime();
      assertThatThrownBy(() -> pages.allocate(9 << 20, Duration.ofSeconds(60)))
          .isInstanceOf(OutOfNativeMemoryError.class);
      assertThat(System.nanoTime() - startNanos).isLessThan(Duration.ofSeconds(30).toNanos());
    }
  }

  /** A lower limit takes nothing away, so memory that is committed serves a thread that waits. */
  @Test
  void requestAboveALoweredLimit_waitsForMemoryThatIsThere() throws Exception {
    Budget budget = Budget.limitedTo("budget", 8 << 20);
    try (PageAllocator pages =
        PageAllocator.builder("test").capacityBytes(64 << 20).budget(budget).build()) {
      PageBuffer open = pages.allocate(8 << 20);
      budget.setLimitBytes(1 << 20);
      Thread other =
          new Thread(() -> {
            while (pages.report().waitingThreadCount() == 0) {
              Thread.onSpinWait();
            }
            open.close();
          });
      other.start();
      pages.allocate(8 << 20, Duration.ofSeconds(60)).close();
      other.join();
    }
  }

  /** Its books are in doubt: what they say is free may not be. */
  @Test
  void damagedOne_givesNothingBackBeforeItsClose() {
    Budget budget = Budget.unlimited("budget");
    PageAllocator pages =
        PageAllocator.builder("damaged").capacityBytes(64 << 20).budget(budget).build();
    pages.allocate(10 << 20).close();
    long committedBytes = budget.committedBytes();
    assertThat(committedBytes).isGreaterThanOrEqualTo(10 << 20);
    pages.state().supply.damage.note(new AssertionError("by a test"));
    assertThat(budget.reclaim()).isZero();
    assertThat(budget.committedBytes()).isEqualTo(committedBytes);
    pages.close();
    assertThat(budget.committedBytes()).isZero();
  }

  private static void mark(PageBuffer buffer, int i) {
    MemorySegment segment = buffer.segment();
    for (long at = 0; at < segment.byteSize(); at += 512) {
      assertThat(segment.get(ValueLayout.JAVA_BYTE, at)).isZero();
    }
    segment.fill((byte) (1 + i % 100));
  }

  private static void check(PageBuffer buffer) {
    MemorySegment segment = buffer.segment();
    byte mark = segment.get(ValueLayout.JAVA_BYTE, 0);
    assertThat(mark).isPositive();
    for (long at = 0; at < segment.byteSize(); at += 512) {
      assertThat(segment.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(mark);
    }
    assertThat(segment.get(ValueLayout.JAVA_BYTE, segment.byteSize() - 1)).isEqualTo(mark);
  }
}
