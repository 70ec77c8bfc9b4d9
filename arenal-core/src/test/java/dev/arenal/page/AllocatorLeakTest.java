package dev.arenal.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Allocators that were never closed. */
@Timeout(60)
final class AllocatorLeakTest {
  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  @RegisterExtension private final Recorder log = new Recorder();
  private @Nullable WeakReference<PageState> lost;

  @AfterEach
  void checkTheEnd() {
    os.assertNoComplaints();
    os.assertNothingMapped();
  }

  @Test
  void lostAllocator_isReportedOnceAndClosed() {
    lose("lost-1");
    until(() -> os.mappedBytes() == 0 && !messages("lost-1").isEmpty());
    System.gc();
    assertThat(messages("lost-1"))
        .containsExactly(
            "allocator was never closed: allocator=lost-1, usedBytes=0, place=PLACE"
                + " (its memory has been given back; close it)");
    LogRecord record = log.records.getFirst();
    assertThat(record.getLevel()).isEqualTo(Level.WARNING);
    assertThat(record.getThrown()).hasMessage("allocator was built here");
  }

  /** Its memory stays, and the buffer works as before: even the close does. */
  @Test
  void lostAllocator_withOpenBuffers_keepsTheirMemory() {
    PageBuffer buffer = loseWithBuffer("lost-2");
    MemorySegment segment = buffer.segment();
    until(() -> !messages("lost-2").isEmpty());
    assertThat(messages("lost-2"))
        .containsExactly(
            "allocator was never closed: allocator=lost-2, usedBytes=1000, place=PLACE"
                + " (buffers are open, so its memory stays; close it)");
    // Neither the housekeeper nor the statistics hold it, only the memory is still there.
    WeakReference<PageState> state = requireNonNull(lost);
    until(() -> state.get() == null);
    assertThat(os.mappedBytes()).isPositive();
    assertThat(segment.get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 7);
    segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    LockedHeap heap = LockedHeap.of(buffer.span());
    buffer.close();
    assertThatThrownBy(buffer::close).isExactlyInstanceOf(IllegalStateException.class);
    heap.supply.close(); // no other owner is left to do it
  }

  @Test
  void closedAllocator_isNotReported() {
    for (int i = 0; i < 5; i++) {
      PageAllocator.builder("closed").operatingSystem(os).build().close();
    }
    lose("lost-3"); // when this one is told, the others could have been
    until(() -> !messages("lost-3").isEmpty());
    assertThat(messages("closed")).isEmpty();
    until(() -> os.mappedBytes() == 0);
  }

  /** An allocator whose close fails, and which is then dropped, is not closed. */
  @Test
  void refusedClose_doesNotCount() {
    PageBuffer buffer = loseAfterRefusedClose("lost-4");
    buffer.close();
    until(() -> os.mappedBytes() == 0 && !messages("lost-4").isEmpty());
    assertThat(messages("lost-4"))
        .containsExactly(
            "allocator was never closed: allocator=lost-4, usedBytes=0, place=PLACE"
                + " (its memory has been given back; close it)");
  }

  // ---- apart, so that no frame holds the allocator ----

  private void lose(String name) {
    open(name).allocate(1000, PageAge.SHORT_LIVED).close();
  }

  private PageBuffer loseWithBuffer(String name) {
    PageAllocator pages = open(name);
    PageBuffer buffer = pages.allocate(1000, PageAge.SHORT_LIVED);
    var _ = buffer.segment().fill((byte) 7);
    lost = new WeakReference<>(pages.state());
    return buffer;
  }

  private PageBuffer loseAfterRefusedClose(String name) {
    PageAllocator pages = open(name);
    PageBuffer buffer = pages.allocate(1000, PageAge.SHORT_LIVED);
    assertThatThrownBy(pages::close).isExactlyInstanceOf(IllegalStateException.class);
    return buffer;
  }

  private PageAllocator open(String name) {
    return PageAllocator.builder(name).capacityBytes(16 << 20).operatingSystem(os).build();
  }

  private List<String> messages(String name) {
    return log.records.stream()
        .map(entry -> entry.getMessage().replaceAll("place=\\S+", "place=PLACE")) // the runner's
        .map(message -> message.replaceAll(", openBuffers=\\[.*\\](?=, place)", "")) // one in 128
        .filter(message -> message.contains("=" + name + ","))
        .toList();
  }

  private static void until(BooleanSupplier condition) {
    Await.until(() -> {
      System.gc();
      return condition.getAsBoolean();
    });
  }
}
