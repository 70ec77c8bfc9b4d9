package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls of code that takes buffers for others. */
final class PageUserTest {
  private static PageAllocator open(long capacityBytes) {
    return PageAllocator.builder("test").capacityBytes(capacityBytes).build();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 16",
    "1, 16",
    "128, 128",
    "129, 144",
    "300, 320",
    "8192, 8192",
    "8193, 9216",
    "262144, 262144",
    "262145, 266240",
    "4194304, 4194304",
    "4194305, 6291456",
    "1073741824, 1073741824",
    "1073741825, 1073741825",
    "9223372036854775807, 9223372036854775807"
  })
  void roundUp_isWhatTheDocumentsSay(long sizeBytes, long roundedBytes) {
    try (PageAllocator pages = open(1 << 30)) {
      assertThat(pages.roundUp(sizeBytes)).isEqualTo(roundedBytes);
    }
  }

  @Test
  void roundUp_withoutMediumPages_isAWholePage() {
    try (PageAllocator pages = open(64 << 20)) {
      assertThat(pages.roundUp(262_144)).isEqualTo(262_144);
      assertThat(pages.roundUp(262_145)).isEqualTo(2 << 20);
    }
  }

  @Test
  void roundUp_ofANegativeSize_isRefused() {
    try (PageAllocator pages = open(64 << 20)) {
      assertThatThrownBy(() -> pages.roundUp(-1))
          .isExactlyInstanceOf(IllegalArgumentException.class)
          .hasMessage("size is negative: allocator=test, sizeBytes=-1 (expected 0 or more)");
    }
  }

  @Test
  void isClosed_isTrueOnceAllHasGoneBack() {
    PageAllocator pages = open(64 << 20);
    try (PageBuffer _ = pages.allocate(1, PageAge.SHORT_LIVED)) {
      assertThatThrownBy(pages::close).isInstanceOf(IllegalStateException.class);
      assertThat(pages.isClosed()).isFalse();
    }
    pages.close();
    assertThat(pages.isClosed()).isTrue();
  }

  /** One buffer of the rounded size takes just as much of the free memory. */
  @Test
  void roundedSize_takesNoMoreMemory() {
    SplittableRandom random = new SplittableRandom(Long.getLong("test.seed", 7));
    for (int i = 0; i < 100; i++) {
      long sizeBytes = random.nextLong(1L << random.nextInt(4, 24));
      assertThat(takenBytes(sizeBytes, false))
          .as("size %d", sizeBytes)
          .isEqualTo(takenBytes(sizeBytes, true));
    }
  }

  private static long takenBytes(long sizeBytes, boolean isRounded) {
    try (PageAllocator pages = open(1 << 30)) {
      PageBuffer first = pages.allocate(sizeBytes, PageAge.SHORT_LIVED); // its page, its run
      long freeBytes = pages.report().freeBytes();
      long askedBytes = isRounded ? pages.roundUp(sizeBytes) : sizeBytes;
      PageBuffer second = pages.allocate(askedBytes, PageAge.SHORT_LIVED);
      PageReport report = pages.report();
      long takenBytes = freeBytes - report.freeBytes() + report.committedBytes();
      second.close();
      first.close();
      return takenBytes;
    }
  }

  @Test
  void closeWithOpenBuffers_namesEachUserOnce() {
    PageAllocator pages = open(64 << 20);
    pages.addUser("Netty");
    pages.addUser("Arrow");
    pages.addUser("Netty");
    PageBuffer buffer = pages.allocate(100, PageAge.SHORT_LIVED);
    assertThatThrownBy(pages::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageMatching( // one buffer in 128 is watched
            "allocator has open buffers or arenas: allocator=test, usedBytes=100, users=\\[Arrow,"
                + " Netty](, openBuffers=\\[.*] \\(close them first\\)| \\(close them first;"
                + " -Darenal.leaks=all shows where each was allocated\\))");
    buffer.close();
    pages.close();
  }
}
