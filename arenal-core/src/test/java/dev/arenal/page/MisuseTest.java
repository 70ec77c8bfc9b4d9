package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.guard.WatchMode;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.stats.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Misuse of an allocator: the whole messages, and that nothing has changed. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MisuseTest {
  @RegisterExtension private final Allocators allocators = new Allocators();

  // ---- settings ----

  static Stream<Arguments> badSettings() {
    return Stream.of(
        bad(b -> b.capacityBytes(0), "capacity is not positive: sizeBytes=0, allocator=bad"),
        bad(b -> b.capacityBytes(-1), "capacity is not positive: sizeBytes=-1, allocator=bad"),
        bad(
            b -> b.capacityBytes((8 << 20) - 1),
            "capacity is out of range: capacityBytes=8388607, allocator=bad"
                + " (expected 8388608 to 8796093022208)"),
        bad(
            b -> b.capacityBytes((8L << 40) + 1),
            "capacity is out of range: capacityBytes=8796093022209, allocator=bad"
                + " (expected 8388608 to 8796093022208)"),
        bad(
            b -> b.capacityBytes(Long.MAX_VALUE),
            "capacity is out of range: capacityBytes=9223372036854775807, allocator=bad"
                + " (expected 8388608 to 8796093022208)"),
        bad(b -> b.floorBytes(-1), "floor is negative: sizeBytes=-1, allocator=bad"),
        bad(
            b -> b.floorBytes(16 * MIB).capacityBytes(16 * MIB - 1),
            "floor is more than the capacity: sizeBytes=16777216, capacityBytes=16777215,"
                + " allocator=bad"),
        bad(
            b -> b.uncommitDelay(Duration.ofSeconds(-1)),
            "uncommit delay is negative: delay=PT-1S, allocator=bad"),
        bad(b -> b.slackPercent(-1), "slack is negative: percent=-1, allocator=bad"));
  }

  private static Arguments bad(UnaryOperator<PageAllocatorBuilder> setting, String message) {
    return Arguments.of(setting, message);
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  void badSetting_isRefused_andNothingIsOpened(
      UnaryOperator<PageAllocatorBuilder> setting, String message) {
    PageAllocatorBuilder builder = PageAllocator.builder("bad").operatingSystem(allocators.os);
    assertThatThrownBy(() -> setting.apply(builder).build())
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThat(allocators.os.mappedBytes()).isZero();
  }

  @Test
  void refusedSetting_leavesTheOneBefore() {
    PageAllocatorBuilder builder = PageAllocator.builder("pages").capacityBytes(16 * MIB);
    assertThatThrownBy(() -> builder.capacityBytes(0)).isInstanceOf(IllegalArgumentException.class);
    try (PageAllocator pages = builder.build()) {
      assertThat(pages.capacityBytes()).isEqualTo(16 * MIB);
    }
  }

  @Test
  void boundsOfTheSettings_areAccepted() {
    try (PageAllocator pages =
        PageAllocator.builder("pages")
            .operatingSystem(allocators.os)
            .capacityBytes(8 * MIB)
            .floorBytes(8 * MIB)
            .pretouch(Pretouch.upTo(8 * MIB))
            .uncommitDelay(Duration.ofSeconds(Long.MAX_VALUE))
            .maxWait(Duration.ofSeconds(Long.MIN_VALUE))
            .slackPercent(0)
            .build()) {
      assertThat(pages.committedBytes()).isEqualTo(8 * MIB);
      assertThat(pages.capacityBytes()).isEqualTo(8 * MIB);
      assertThat(pages.name()).isEqualTo("pages");
    }
    try (PageAllocator pages =
        PageAllocator.builder("pages")
            .operatingSystem(allocators.os)
            .capacityBytes(8 * MIB + 1)
            .build()) {
      assertThat(pages.capacityBytes()).isEqualTo(10 * MIB); // in whole pages
    }
  }

  // ---- closing twice ----

  @ParameterizedTest
  @ValueSource(longs = {0, 100, 100_000, 1 << 20, 5 << 20})
  void foreignThreadsDoubleFree_isRefused_andTheNextOwnerUnharmed(long sizeBytes) throws Exception {
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
    long address = buffer.segment().address();
    buffer.close();
    PageBuffer next = pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
    assertThat(next.segment().address()).isEqualTo(address);
    next.segment().fill((byte) 5);
    assertThatForeigner(buffer::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "buffer is already closed: allocator=test, address=0x"
                + Long.toHexString(address)
                + ", sizeBytes="
                + sizeBytes
                + ", thread=foreigner (close it once, where it was last used)");
    assertThatForeigner(buffer::segment)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "buffer is closed: allocator=test, address=0x"
                + Long.toHexString(address)
                + ", sizeBytes="
                + sizeBytes
                + ", thread=foreigner");
    assertThat(pages.usedBytes()).isEqualTo(sizeBytes);
    pages.state().verify();
    try (PageBuffer third = pages.allocate(sizeBytes, PageAge.SHORT_LIVED)) {
      assertThat(third.segment().address()).isNotEqualTo(address);
    }
    assertThat(next.segment().toArray(ValueLayout.JAVA_BYTE)).doesNotContain((byte) 0);
    next.close();
    assertThat(buffer.sizeBytes()).isEqualTo(sizeBytes); // that is still said
    assertThat(buffer.toString())
        .isEqualTo(
            "closed buffer: allocator=test, address=0x"
                + Long.toHexString(address)
                + ", sizeBytes="
                + sizeBytes
                + ", thread="
                + Thread.currentThread().getName());
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable>
      assertThatForeigner(ThrowingCallable call) throws InterruptedException {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("foreigner")
            .start(() -> {
              try {
                call.call();
              } catch (Throwable e) {
                thrown.set(e);
              }
            });
    thread.join();
    return assertThat(thrown.get());
  }

  /** However many close it at a time. */
  @ParameterizedTest
  @ValueSource(longs = {100, 100_000, 1 << 20, 5 << 20})
  void closeByManyAtOnce_succeedsOnce(long sizeBytes) throws Exception {
    PageAllocator pages = allocators.open();
    for (int round = 0; round < 50; round++) {
      PageBuffer buffer = pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
      AtomicInteger closedCount = new AtomicInteger();
      AtomicInteger refusedCount = new AtomicInteger();
      CyclicBarrier start = new CyclicBarrier(4);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    var _ = start.await();
                    buffer.close();
                    var _ = closedCount.incrementAndGet();
                  } catch (IllegalStateException e) {
                    var _ = refusedCount.incrementAndGet();
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(closedCount.get()).isEqualTo(1);
      assertThat(refusedCount.get()).isEqualTo(3);
      assertThat(pages.usedBytes()).isZero();
    }
    pages.state().verify();
  }

  // ---- memory that is in use by the system ----

  /** The read is for the buffer: it must have its memory until then. */
  @Test
  void checkedBuffer_inUseByASystemCall_staysOpen() throws Exception {
    allocators.isChecked = true;
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(1000, PageAge.SHORT_LIVED);
    Pipe pipe = Pipe.open();
    Thread reader = readerInside(pipe, buffer);
    assertThatThrownBy(buffer::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Session is acquired by 1 clients");
    assertThat(pages.usedBytes()).isEqualTo(1000);
    assertThat(pages.openBuffers()).hasSize(1);
    write(pipe, (byte) 3);
    reader.join();
    assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 3);
    buffer.close();
    assertThat(pages.usedBytes()).isZero();
    assertThat(pages.openBuffers()).isEmpty();
  }

  /** A close that is refused knows nothing of another one, which may fail in its turn. */
  @Test
  void watchedBuffer_whoseClosesAreAllRefused_staysWatched() throws Exception {
    allocators.isChecked = true;
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(1000, PageAge.SHORT_LIVED);
    Pipe pipe = Pipe.open();
    Thread reader = readerInside(pipe, buffer);
    List<Thread> closers = new ArrayList<>();
    AtomicInteger refusedCount = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      closers.add(Thread.ofPlatform().start(() -> closeRefused(buffer, 5_000, refusedCount)));
    }
    for (Thread closer : closers) {
      closer.join();
    }
    assertThat(refusedCount).hasValue(20_000);
    assertThat(pages.openBuffers()).hasSize(1);
    write(pipe, (byte) 3);
    reader.join();
    buffer.close();
    assertThat(pages.openBuffers()).isEmpty();
  }

  private static void closeRefused(PageBuffer buffer, int count, AtomicInteger refusedCount) {
    for (int i = 0; i < count; i++) {
      try {
        buffer.close();
      } catch (IllegalStateException e) {
        var _ = refusedCount.incrementAndGet();
      }
    }
  }

  /** A thread in a system call that has the segment until the pipe is written to. */
  private static Thread readerInside(Pipe pipe, PageBuffer buffer) {
    Thread reader = read(pipe, buffer.segment());
    Await.until(() -> reader.getState() == Thread.State.RUNNABLE && isInRead(reader));
    return reader;
  }

  private static Thread read(Pipe pipe, MemorySegment target) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            assertThat(pipe.source().read(target.asByteBuffer())).isEqualTo(1);
            pipe.source().close();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private static boolean isInRead(Thread reader) {
    for (StackTraceElement frame : reader.getStackTrace()) {
      if (frame.isNativeMethod() && frame.getMethodName().startsWith("read")) {
        return true;
      }
    }
    return false;
  }

  private static void write(Pipe pipe, byte value) throws IOException {
    assertThat(pipe.sink().write(ByteBuffer.wrap(new byte[] {value}))).isEqualTo(1);
    pipe.sink().close();
  }

  // ---- waiting ----

  /** The error says so, and the thread stays interrupted. */
  @Test
  void interruptedWait_isToldInTheError() {
    allocators.capacityBytes = 8 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer all = pages.allocate(8 * MIB, PageAge.SHORT_LIVED);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> pages.allocate(1, PageAge.LONG_LIVED, Duration.ofMinutes(10)))
        .isExactlyInstanceOf(OutOfNativeMemoryError.class)
        .hasMessage(
            "no room: allocator=test, requestedBytes=1, age=LONG_LIVED, usedBytes=8388608,"
                + " pageBytes=8388608, capacityBytes=8388608, committedBytes=8388608,"
                + " budget=Budget[name=test, limitBytes=none, committedBytes=8388608],"
                + " maxWaitMillis=600000, interrupted=true (close buffers, raise the limit of the"
                + " budget, or build with a larger capacity)");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(pages.report().waitingThreadCount()).isZero();
    all.close();
  }

  /** No thread waits while the allocator is closed: something would be open. */
  @Test
  void closeWhileAThreadWaits_isRefused() throws Exception {
    allocators.capacityBytes = 8 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer all = pages.allocate(8 * MIB, PageAge.SHORT_LIVED);
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> pages.allocate(MIB, PageAge.SHORT_LIVED, Duration.ofMinutes(1)).close());
    Await.until(() -> pages.report().waitingThreadCount() == 1);
    assertThatThrownBy(pages::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "allocator has open buffers or arenas: allocator=test, usedBytes=8388608 ("
                + "close them first; -Darenal.leaks=all shows where each was allocated)");
    all.close();
    waiting.join();
    assertThat(pages.usedBytes()).isZero();
  }
}
