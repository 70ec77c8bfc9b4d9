package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.time.Duration;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.IntVector;
import org.junit.jupiter.api.Test;

/** Two budgets that meet: Arrow's and ours. */
final class RefusalTest {
  private static final int MIB = 1 << 20;

  @Test
  void budgetThatIsUsedUp_isArrowsOutOfMemory_withTheFiguresOfBoth() {
    Budget budget = Budget.limitedTo("off-heap", 8 * MIB);
    PageAllocator pages =
        PageAllocator.builder("queries")
            .capacityBytes(64 * MIB)
            .budget(budget)
            .zeroed(false)
            .build();
    try (BufferAllocator root = Roots.over(pages);
        BufferAllocator query = root.newChildAllocator("query-7", 0, 32 * MIB);
        ArrowBuf kept = query.buffer(4 * MIB)) {
      assertThatThrownBy(() -> query.buffer(8 * MIB))
          .isExactlyInstanceOf(OutOfMemoryException.class)
          .hasCauseExactlyInstanceOf(OutOfNativeMemoryError.class)
          .extracting(e -> String.valueOf(e.getMessage()).replaceAll(" from .* s]", " from PLACE]"))
          .isEqualTo(
              "no room for an Arrow buffer: arrowAllocator=query-7, arrowUsedBytes=4194304,"
                  + " arrowLimitBytes=33554432, sizeBytes=8388608; no room: allocator=queries,"
                  + " requestedBytes=8388608, age=SHORT_LIVED, usedBytes=4194304,"
                  + " pageBytes=4194304, capacityBytes=67108864, committedBytes=4194304,"
                  + " budget=Budget[name=off-heap, limitBytes=8388608, committedBytes=4194304],"
                  + " maxWaitMillis=0, openBuffers=[1 x 4194304 B SHORT_LIVED from PLACE] (close"
                  + " buffers, raise the limit of the budget, or build with a larger capacity)");
      assertThat(query.getAllocatedMemory()).isEqualTo(4 * MIB);
      assertThat(root.getAllocatedMemory()).isEqualTo(4 * MIB);
      assertThat(pages.usedBytes()).isEqualTo(4 * MIB);
      kept.setLong(0, 42);
      try (ArrowBuf smaller = query.buffer(2 * MIB)) { // all goes on
        assertThat(smaller.capacity()).isEqualTo(2 * MIB);
      }
      assertThat(kept.getLong(0)).isEqualTo(42);
    }
    pages.close();
    assertThat(budget.committedBytes()).isZero();
  }

  @Test
  void moreThanTheCapacity_isArrowsOutOfMemory() {
    PageAllocator pages = Roots.pages(8 * MIB);
    try (BufferAllocator root = Roots.over(pages)) {
      assertThatThrownBy(() -> root.buffer(16 * MIB))
          .isExactlyInstanceOf(OutOfMemoryException.class)
          .hasMessage(
              "no room for an Arrow buffer: arrowAllocator=ROOT, arrowUsedBytes=0,"
                  + " arrowLimitBytes=9223372036854775807, sizeBytes=16777216; no room:"
                  + " allocator=test, requestedBytes=16777216, age=SHORT_LIVED, usedBytes=0,"
                  + " pageBytes=0, capacityBytes=8388608, committedBytes=0,"
                  + " budget=Budget[name=test, limitBytes=none, committedBytes=0],"
                  + " maxWaitMillis=0 (expected at most the capacity)");
      assertThat(root.getAllocatedMemory()).isZero();
    }
    pages.close();
  }

  /** A vector gives back what it has when the next of its buffers is refused. */
  @Test
  void vectorThatIsRefused_leavesNothing() {
    PageAllocator pages = Roots.pages(8 * MIB);
    try (BufferAllocator root = Roots.over(pages);
        IntVector vector = new IntVector("numbers", root)) {
      assertThatThrownBy(() -> vector.allocateNew(8 * MIB))
          .isExactlyInstanceOf(OutOfMemoryException.class);
      assertThat(root.getAllocatedMemory()).isZero();
      assertThat(pages.usedBytes()).isZero();
      vector.allocateNew(1000);
      vector.set(999, 42);
      assertThat(vector.get(999)).isEqualTo(42);
    }
    pages.close();
  }

  /** Arrow asks its own limit first. */
  @Test
  void limitOfArrow_isRefusedByArrow_andPagesAreNotAsked() {
    PageAllocator pages = Roots.pages();
    try (BufferAllocator root = Roots.over(pages);
        BufferAllocator query = root.newChildAllocator("query", 0, 1024)) {
      assertThatThrownBy(() -> query.buffer(2048))
          .isExactlyInstanceOf(OutOfMemoryException.class)
          .hasMessage(
              "Unable to allocate buffer of size 2048 due to memory limit. Current allocation: 0");
      assertThat(pages.committedBytes()).isZero();
    }
    pages.close();
  }

  @Test
  void requestWaits_asLongAsThePagesSay() throws Exception {
    PageAllocator pages =
        PageAllocator.builder("waiting")
            .capacityBytes(8 * MIB)
            .maxWait(Duration.ofSeconds(60))
            .zeroed(false)
            .build();
    try (BufferAllocator root = Roots.over(pages)) {
      ArrowBuf all = root.buffer(8 * MIB);
      Thread releasing =
          Thread.ofPlatform()
              .start(() -> {
                while (pages.report().waitingThreadCount() == 0) {
                  Thread.onSpinWait();
                }
                all.close();
              });
      try (ArrowBuf next = root.buffer(8 * MIB)) {
        assertThat(next.capacity()).isEqualTo(8 * MIB);
      }
      releasing.join();
    }
    pages.close();
  }

  // ---- the end ----

  @Test
  void closeWhileArrowHoldsBuffers_isRefused_andSaysWho() {
    PageAllocator pages = Roots.pages();
    try (BufferAllocator root = Roots.over(pages);
        ArrowBuf buffer = root.buffer(256)) {
      assertThatThrownBy(pages::close)
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessageMatching( // one buffer in 128 is watched
              "allocator has open buffers or arenas: allocator=test, usedBytes=256, users=\\[Arrow]"
                  + "(, openBuffers=\\[.*] \\(close them first\\)| \\(close them first;"
                  + " -Darenal.leaks=all shows where each was allocated\\))");
      buffer.setInt(0, 7);
      assertThat(buffer.getInt(0)).isEqualTo(7);
    }
    pages.close();
  }

  @Test
  void bufferOfClosedPages_isRefused_andArrowCountsNothing() {
    PageAllocator pages = Roots.pages();
    try (BufferAllocator root = Roots.over(pages)) {
      pages.close();
      assertThatThrownBy(() -> root.buffer(256))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("allocator is closed: allocator=test");
      assertThat(root.getAllocatedMemory()).isZero();
      assertThat(root.buffer(0).capacity()).isZero();
    }
  }

  @Test
  void bufferOfAClosedRoot_isRefusedByArrow_andItsPageGoesBack() {
    PageAllocator pages = Roots.pages();
    BufferAllocator root = Roots.over(pages);
    root.close();
    assertThatThrownBy(() -> ArenalAllocationManager.factory(pages).create(root, 256))
        .isInstanceOf(IllegalStateException.class);
    assertThat(pages.usedBytes()).isZero();
    pages.close();
  }

  /** Arrow says what was lost; the pages are still there for others. */
  @Test
  void lostBuffer_isNamedByArrow_andKeepsItsMemory() {
    PageAllocator pages = Roots.pages();
    BufferAllocator root = Roots.over(pages);
    ArrowBuf lost = root.buffer(256);
    assertThatThrownBy(root::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Memory was leaked by query. Memory leaked: (256)");
    assertThat(lost.capacity()).isEqualTo(256);
    assertThat(pages.usedBytes()).isEqualTo(256);
    try (PageBuffer another = pages.allocate(64, PageAge.SHORT_LIVED)) {
      assertThat(another.sizeBytes()).isEqualTo(64);
    }
  }
}
