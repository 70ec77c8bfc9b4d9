package dev.arenal.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.example.Program;
import dev.arenal.guard.WatchMode;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Open buffers by size, age and place of birth, and lost ones. */
@Timeout(60)
final class OpenBuffersTest {
  @RegisterExtension private final Allocators allocators = new Allocators();

  @RegisterExtension private final Recorder log = new Recorder();

  @BeforeEach
  void watchAll() {
    allocators.watchMode = WatchMode.ALL;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void buffers_areGroupedBySizeAgeAndPlace_andGoneWhenClosed(boolean hasMagazines) {
    allocators.hasMagazines = hasMagazines;
    PageAllocator pages = allocators.open();
    List<PageBuffer> open = new ArrayList<>(Program.takeMany(pages, 3, 4096));
    open.add(Program.take(pages, 4096, PageAge.SHORT_LIVED));
    open.add(Program.take(pages, 4096, PageAge.LONG_LIVED));
    open.add(Program.take(pages, 3 << 20, PageAge.SHORT_LIVED));
    assertThat(texts(pages.openBuffers()))
        .containsExactly(
            "1 x 3145728 B SHORT_LIVED from take, oldest 0 s",
            "3 x 4096 B SHORT_LIVED from takeMany, oldest 0 s",
            "1 x 4096 B LONG_LIVED from take, oldest 0 s",
            "1 x 4096 B SHORT_LIVED from take, oldest 0 s");
    assertThat(texts(pages.report().openBuffers())).isEqualTo(texts(pages.openBuffers()));
    assertThat(shorten(pages.report().toString()).lines().skip(2))
        .containsExactly(
            "  open: 1 x 3145728 B SHORT_LIVED from take, oldest 0 s",
            "  open: 3 x 4096 B SHORT_LIVED from takeMany, oldest 0 s",
            "  open: 1 x 4096 B LONG_LIVED from take, oldest 0 s",
            "  open: 1 x 4096 B SHORT_LIVED from take, oldest 0 s");
    open.forEach(PageBuffer::close);
    assertThat(pages.openBuffers()).isEmpty();
    pages.assertNoOpenBuffers();
  }

  @Test
  void errors_nameThoseWithMostBytes() {
    allocators.capacityBytes = 8 * Allocators.MIB;
    PageAllocator pages = allocators.open();
    List<PageBuffer> open = new ArrayList<>();
    open.add(Program.take(pages, 3 << 20, PageAge.SHORT_LIVED));
    for (int i = 1; i <= 4; i++) {
      open.add(Program.take(pages, 1000L * i, PageAge.LONG_LIVED));
    }
    String groups =
        "[1 x 3145728 B SHORT_LIVED from take, oldest 0 s,"
            + " 1 x 4000 B LONG_LIVED from take, oldest 0 s,"
            + " 1 x 3000 B LONG_LIVED from take, oldest 0 s] and 2 more groups";
    assertThatThrownBy(() -> pages.allocate(7 << 20, PageAge.SHORT_LIVED))
        .isInstanceOf(OutOfMemoryError.class)
        .extracting(e -> messageOf(e))
        .asString()
        .startsWith("no room: allocator=" + pages.name() + ", requestedBytes=7340032, ")
        .endsWith(
            ", openBuffers="
                + groups
                + " (close buffers, raise the limit of the budget, or build with a larger"
                + " capacity)");
    assertThatThrownBy(pages::close)
        .isInstanceOf(IllegalStateException.class)
        .extracting(e -> messageOf(e))
        .isEqualTo(
            "allocator has open buffers or arenas: allocator="
                + pages.name()
                + ", usedBytes=3155728, openBuffers="
                + groups
                + " (close them first)");
    open.forEach(PageBuffer::close);
  }

  @Test
  void assertion_namesAll() {
    PageAllocator pages = allocators.open();
    PageBuffer buffer = Program.take(pages, 1000, PageAge.LONG_LIVED);
    assertThatThrownBy(pages::assertNoOpenBuffers)
        .isInstanceOf(AssertionError.class)
        .extracting(e -> messageOf(e))
        .isEqualTo(
            "buffers are open: allocator="
                + pages.name()
                + ", usedBytes=1000,"
                + " openBuffers=[1 x 1000 B LONG_LIVED from take, oldest 0 s]"
                + " (expected none; close them; -Darenal.leaks=all names each)");
    buffer.close();
    pages.assertNoOpenBuffers();
  }

  /** Its memory is never freed: an address may be held. */
  @Test
  void lostBuffer_isWarnedOfOnceAPlace_andItsMemoryStays() {
    allocators.name = "loser";
    PageAllocator pages = allocators.open();
    pages.addUser("Netty");
    MemorySegment segment = Program.lose(pages, 1000);
    for (int i = 0; i < 9; i++) {
      var _ = Program.lose(pages, 1000);
    }
    Await.until(() -> {
      System.gc();
      return texts(pages.openBuffers())
          .equals(List.of("10 x 1000 B SHORT_LIVED lost, from lose, oldest 0 s"));
    });
    assertThat(pages.usedBytes()).isEqualTo(10_000);
    assertThat(segment.get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 7);
    Await.until(() -> warnings().size() == 1);
    assertThat(warnings())
        .extracting(entry -> shorten(entry.getMessage()))
        .containsExactly(
            "buffer was never closed: allocator="
                + pages.name()
                + ", users=[Netty], sizeBytes=1000, age=SHORT_LIVED, place=lose"
                + " (its memory stays, since its address may be held; close it where it was last"
                + " used; others of that place are counted in openBuffers)");
    Throwable stack = warnings().getFirst().getThrown();
    assertThat(stack).hasMessage("buffer was allocated here");
    assertThat(stack.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("lose"));
    assertThatThrownBy(pages::assertNoOpenBuffers)
        .isInstanceOf(AssertionError.class)
        .extracting(e -> messageOf(e))
        .asString()
        .contains("openBuffers=[10 x 1000 B SHORT_LIVED lost, from lose, oldest ");
    allocators.abandon(); // it can never be closed
  }

  @Test
  void sample_isCloseToWhatIsOpen() {
    allocators.watchMode = WatchMode.SAMPLE;
    PageAllocator pages = allocators.open();
    int count = 100_000;
    List<PageBuffer> open = Program.takeMany(pages, count, 64);
    PageBuffer large = Program.take(pages, 2 << 20, PageAge.LONG_LIVED);
    List<OpenBuffers> groups = pages.openBuffers();
    assertThat(groups).hasSize(2);
    OpenBuffers small = groups.getFirst();
    assertThat(small.isEstimated()).isTrue();
    assertThat((double) small.count()).isCloseTo(count, within(count * 0.9));
    assertThat(small.toString()).startsWith("~" + small.count() + " x 64 B SHORT_LIVED from ");
    // Of large ones each is watched.
    assertThat(texts(groups).get(1)).isEqualTo("1 x 2097152 B LONG_LIVED from take, oldest 0 s");
    open.forEach(PageBuffer::close);
    large.close();
    assertThat(pages.openBuffers()).isEmpty();
  }

  @Test
  void off_watchesNothing() {
    allocators.watchMode = WatchMode.OFF;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(2 << 20, PageAge.SHORT_LIVED);
    assertThat(pages.openBuffers()).isEmpty();
    assertThatThrownBy(pages::assertNoOpenBuffers)
        .hasMessage(
            "buffers are open: allocator="
                + pages.name()
                + ", usedBytes=2097152"
                + " (expected none; close them; -Darenal.leaks=all names each)");
    assertThatThrownBy(pages::close)
        .hasMessage(
            "allocator has open buffers or arenas: allocator="
                + pages.name()
                + ", usedBytes=2097152 (close them first; -Darenal.leaks=all shows where each was"
                + " allocated)");
    buffer.close();
  }

  private static List<String> texts(List<OpenBuffers> groups) {
    return groups.stream().map(group -> shorten(group.toString())).toList();
  }

  /** Of this test: other tests lose things, too. */
  private List<LogRecord> warnings() {
    return log.records.stream()
        .filter(entry -> entry.getMessage().contains("allocator=loser, "))
        .toList();
  }

  private static String messageOf(Throwable thrown) {
    return shorten(requireNonNull(thrown.getMessage()));
  }

  /** Of a frame of the program, the method: lines may move; and no age is more than a minute. */
  private static String shorten(String text) {
    return text.replaceAll("com\\.example\\.Program\\.(\\w+)\\(Program\\.java:\\d+\\)", "$1")
        .replaceAll("oldest [1-5]?[0-9] s", "oldest 0 s");
  }
}
