package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.arenal.page.PageAllocator;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.DefaultAllocationManagerOption;
import org.junit.jupiter.api.Test;

/** The bytes of a buffer on the Java heap, beside one of Arrow's own manager. */
final class GarbageTest {
  private static final int BUFFER_COUNT = 20_000;
  private static final int ROUND_COUNT = 5;

  /** A handle and a word more than Arrow's own; where the compiler has not come yet, a segment. */
  private static final int MOST_MORE_BYTES = 160;

  @Test
  void buffer_leavesLittleMoreThanOneOfArrowsOwn() throws Exception {
    PageAllocator pages = Roots.pages();
    long oursBytes;
    try (BufferAllocator root = Roots.over(pages)) {
      oursBytes = bytesPerBuffer(root);
    }
    pages.close();
    long theirsBytes;
    try (BufferAllocator root = Roots.over(unsafe())) {
      theirsBytes = bytesPerBuffer(root);
    }
    assertThat(theirsBytes).isPositive();
    assertThat(oursBytes).isBetween(theirsBytes, theirsBytes + MOST_MORE_BYTES);
  }

  /** The least of some rounds: others are with code that is not compiled yet. */
  private static long bytesPerBuffer(BufferAllocator root) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] bytes = new long[ROUND_COUNT];
    for (int i = 0; i < ROUND_COUNT; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int j = 0; j < BUFFER_COUNT; j++) {
        root.buffer(256).close();
      }
      bytes[i] = (threads.getCurrentThreadAllocatedBytes() - before) / BUFFER_COUNT;
    }
    return Arrays.stream(bytes).min().orElseThrow();
  }

  private static AllocationManager.Factory unsafe() throws ReflectiveOperationException {
    assertThat(DefaultAllocationManagerOption.getDefaultAllocationManagerType())
        .isEqualTo(DefaultAllocationManagerOption.AllocationManagerType.Unknown);
    return (AllocationManager.Factory)
        Class.forName("org.apache.arrow.memory.unsafe.UnsafeAllocationManager")
            .getField("FACTORY")
            .get(null);
  }
}
