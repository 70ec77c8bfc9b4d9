package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.ArrowProgram;
import dev.arenal.page.OpenBuffers;
import dev.arenal.page.PageAllocator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;

/** Open buffers by place, where Arrow takes them for a program. */
final class OpenBuffersTest {
  private static final int VALUE_COUNT = 1 << 18;

  /** Those above 1 MiB are always watched; the place is the program's, not Arrow's. */
  @Test
  void buffersAndVectors_haveThePlaceOfTheProgram() {
    PageAllocator pages = Roots.pages();
    try (BufferAllocator root = Roots.over(pages);
        ArrowBuf buffer = ArrowProgram.take(root, 4 << 20);
        BigIntVector vector = ArrowProgram.fill(root, VALUE_COUNT)) {
      vector.set(VALUE_COUNT - 1, 7);
      assertThat(pages.openBuffers().stream().map(OpenBuffersTest::shorten))
          .containsExactly(
              "1 x 4194304 B SHORT_LIVED from fill, oldest 0 s", // with its validity bits
              "1 x 4194304 B SHORT_LIVED from take, oldest 0 s");
      assertThat(buffer.capacity()).isEqualTo(4 << 20);
    }
    pages.assertNoOpenBuffers();
    pages.close();
  }

  /** A root that is closed too early says so, as with Arrow's own; nothing else is broken. */
  @Test
  void bufferThatIsNeverReleased_isNamed_andAllGoesOn() {
    PageAllocator pages = Roots.pages();
    BufferAllocator root = Roots.over(pages);
    ArrowBuf lost = ArrowProgram.take(root, 4 << 20);
    assertThatThrownBy(root::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Memory was leaked by query.");
    assertThatThrownBy(pages::assertNoOpenBuffers)
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "buffers are open: allocator=test, usedBytes=4194304, openBuffers=\\[1 x 4194304 B"
                + " SHORT_LIVED from com\\.example\\.ArrowProgram\\.take\\(.*\\), oldest \\d+ s]"
                + " \\(expected none; close them; -Darenal\\.leaks=all names each\\)");
    lost.setLong(0, 7); // its memory stays
    assertThat(lost.getLong(0)).isEqualTo(7);
    try (BufferAllocator another = Roots.over(pages);
        ArrowBuf buffer = another.buffer(100)) {
      buffer.setLong(0, 42);
      assertThat(buffer.getLong(0)).isEqualTo(42);
    }
  }

  /** No age is more than a minute. */
  private static String shorten(OpenBuffers group) {
    return group
        .toString()
        .replaceAll("com\\.example\\.ArrowProgram\\.(\\w+)\\(ArrowProgram\\.java:\\d+\\)", "$1")
        .replaceAll("oldest [1-5]?[0-9] s", "oldest 0 s");
  }
}
