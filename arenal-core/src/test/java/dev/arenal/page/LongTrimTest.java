package dev.arenal.page;

import static dev.arenal.page.Allocators.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Memory that is freed while other memory goes back stays for the delay. */
final class LongTrimTest {
  private static final long HOLE_BYTES = 200 << 10;

  @RegisterExtension private final Allocators allocators = new Allocators();

  private final List<PageBuffer> open = new ArrayList<>();
  private PageAllocator pages;

  @BeforeEach
  void openWithHoles() {
    pages = allocators.open();
    for (int i = 0; i < 40; i++) {
      open.add(pages.allocate(HOLE_BYTES));
    }
    for (int i = 0; i < 5; i++) { // in the lowest page
      open.remove(i).close();
    }
  }

  @Test
  void holeThatComesDuringATrim_staysForTheDelay() {
    allocators.pass(pages, Duration.ofSeconds(7));
    closeOneDuringADiscard(0);
    assertThat(pages.trim()).isGreaterThanOrEqualTo(5 * HOLE_BYTES);
    assertThat(pages.report().freeBytes()).isEqualTo(HOLE_BYTES);
    allocators.pass(pages, Duration.ofSeconds(7)); // a cycle ends meanwhile
    assertThat(pages.report().freeBytes()).isEqualTo(HOLE_BYTES);
    allocators.pass(pages, Duration.ofSeconds(9));
    assertThat(pages.report().freeBytes()).isZero();
    open.forEach(PageBuffer::close);
  }

  /** Regular work that takes longer than an eighth of the delay, to within which it is kept. */
  @Test
  void holeThatComesDuringLongRegularWork_staysForTheDelay() {
    allocators.pass(pages, Duration.ofSeconds(15));
    closeOneDuringADiscard(1200);
    long nowNanos = allocators.nowNanos() + SECOND;
    pages.state().tick(nowNanos);
    assertThat(pages.report().freeBytes()).isEqualTo(HOLE_BYTES);
    pages.state().tick(nowNanos + 9 * SECOND); // it has been free for 7.8 seconds
    assertThat(pages.report().freeBytes()).isEqualTo(HOLE_BYTES);
    pages.state().tick(nowNanos + 10 * SECOND);
    assertThat(pages.report().freeBytes()).isZero();
    open.forEach(PageBuffer::close);
  }

  /** The highest one, once: the pages above those with holes have been looked at by then. */
  private void closeOneDuringADiscard(long millis) {
    allocators.os.beforeDiscard(() -> {
      allocators.os.beforeDiscard(null);
      try {
        TimeUnit.MILLISECONDS.sleep(millis);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      open.removeLast().close();
    });
  }
}
