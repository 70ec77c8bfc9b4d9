package dev.arenal.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.guard.WatchMode;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who holds what: open buffers by size, age and place of birth, and those that were lost. */
@Timeout(60)
final class OpenBuffersTest {
  private static final Logger LOGGER = Logger.getLogger("dev.arenal");

  @RegisterExtension private final Allocators allocators = new Allocators();

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler = new Recorder(records);

  @BeforeEach
  void watchAll() {
    allocators.watchMode = WatchMode.ALL;
    allocators.hasMagazines = true;
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void buffers_areGroupedBySizeAgeAndPlace_andGoneWhenClosed() {
    PageAllocator pages = allocators.open();
    List<PageBuffer> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(pages.allocate(4096, PageAge.SHORT_LIVED));
    }
    open.add(pages.allocate(4096, PageAge.LONG_LIVED));
    open.add(pages.allocate(3 << 20, PageAge.SHORT_LIVED));
    List<OpenBuffers> groups = pages.openBuffers();
    assertThat(groups).extracting(OpenBuffers::count).containsExactly(1L, 3L, 1L);
    assertThat(groups)
        .extracting(OpenBuffers::totalBytes)
        .containsExactly(3L << 20, 3L * 4096, 4096L);
    assertThat(groups.get(1).age()).isEqualTo(PageAge.SHORT_LIVED);
    assertThat(groups).noneMatch(OpenBuffers::isEstimated).noneMatch(OpenBuffers::isLost);
    assertThat(pages.report().openBuffers()).isEqualTo(groups);
    open.forEach(PageBuffer::close);
    assertThat(pages.openBuffers()).isEmpty();
    pages.assertNoOpenBuffers();
  }

  @Test
  void errors_nameThoseWithMostBytes() {
    allocators.capacityBytes = 8 * Allocators.MIB;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(5 << 20, PageAge.SHORT_LIVED);
    String group = pages.openBuffers().getFirst().toString();
    assertThat(group).startsWith("1 x 5242880 B SHORT_LIVED from ");
    assertThatThrownBy(() -> pages.allocate(7 << 20, PageAge.SHORT_LIVED))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining(", openBuffers=[" + group + "] (close buffers, or raise");
    assertThatThrownBy(pages::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "allocator has open buffers: allocator="
                + pages.name()
                + ", usedBytes=5242880, openBuffers=["
                + group
                + "] (close them first)");
    assertThatThrownBy(pages::assertNoOpenBuffers)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "buffers are open: allocator="
                + pages.name()
                + ", usedBytes=5242880, openBuffers=["
                + group
                + "] (close them; -Darenal.page.leaks=all names each)");
    buffer.close();
  }

  /** Its memory is never freed: an address may be held. */
  @Test
  void lostBuffer_isWarnedOfOnceAPlace_andItsMemoryStays() {
    PageAllocator pages = allocators.open();
    MemorySegment segment = lose(pages);
    for (int i = 0; i < 9; i++) {
      var _ = lose(pages);
    }
    Await.until(
        () -> {
          System.gc();
          return pages.openBuffers().stream()
              .anyMatch(group -> group.isLost() && group.count() == 10);
        });
    OpenBuffers lost = pages.openBuffers().getFirst();
    assertThat(pages.openBuffers()).hasSize(1);
    assertThat(lost.toString()).startsWith("10 x 1000 B SHORT_LIVED lost, from ");
    assertThat(pages.usedBytes()).isEqualTo(10_000);
    assertThat(segment.get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 7);
    Await.until(() -> !records.isEmpty());
    assertThat(records)
        .extracting(LogRecord::getMessage)
        .containsExactly(
            "buffer was never closed: allocator="
                + pages.name()
                + ", sizeBytes=1000, age=SHORT_LIVED, place="
                + lost.place()
                + " (its memory stays, since its address may be held; close it; each buffer is"
                + " watched)");
    assertThat(requireNonNull(records.getFirst().getThrown()).getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("lose"));
    allocators.abandon(); // it can never be closed
  }

  private static MemorySegment lose(PageAllocator pages) {
    MemorySegment segment = pages.allocate(1000, PageAge.SHORT_LIVED).segment();
    segment.set(ValueLayout.JAVA_BYTE, 999, (byte) 7);
    return segment;
  }

  @Test
  void sample_findsAPlaceThatLeaksOften() throws InterruptedException {
    allocators.watchMode = WatchMode.SAMPLE;
    PageAllocator pages = allocators.open();
    List<PageBuffer> open = new ArrayList<>();
    for (int i = 0; i < 128 * 20; i++) {
      open.add(pages.allocate(64, PageAge.SHORT_LIVED));
      if (i % 128 == 0) {
        Thread.sleep(2);
      }
    }
    OpenBuffers group = pages.openBuffers().getFirst();
    assertThat(group.count()).isEqualTo(128 * 20);
    assertThat(group.toString()).startsWith("~2560 x 64 B SHORT_LIVED from ");
    open.forEach(PageBuffer::close);
    assertThat(pages.openBuffers()).isEmpty();
  }

  @Test
  void off_watchesNothing() {
    allocators.watchMode = WatchMode.OFF;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(64, PageAge.SHORT_LIVED);
    assertThat(pages.openBuffers()).isEmpty();
    assertThat(buffer.birth).isNull();
    assertThatThrownBy(pages::assertNoOpenBuffers)
        .hasMessage(
            "buffers are open: allocator="
                + pages.name()
                + ", usedBytes=64, openBuffers=[]"
                + " (close them; -Darenal.page.leaks=all names each)");
    buffer.close();
  }
}
