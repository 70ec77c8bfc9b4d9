package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import java.time.Duration;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** The examples of docs/arrow.md, word for word: the lab's DocumentedCodeTest compares them. */
final class DocumentedExamplesTest {
  @Test
  void root_hasTheFactory() {
    BufferAllocator root =
        new RootAllocator(
            RootAllocator.configBuilder()
                .allocationManagerFactory(ArenalAllocationManager.FACTORY)
                .maxAllocation(1L << 30)
                .build());

    try (root;
        ArrowBuf buffer = root.buffer(1000)) {
      buffer.setLong(0, 42);
      assertThat(buffer.getLong(0)).isEqualTo(42);
      assertThat(root.getLimit()).isEqualTo(1 << 30);
    }
  }

  @Test
  void factoriesOfAPageAllocator_haveTheirMemoryFromTheBudget() {
    Budget offHeap = Budget.limitedTo("off-heap", 64 << 20);

    PageAllocator pages =
        PageAllocator.builder("vectors")
            .capacityBytes(4L << 30)
            .budget(offHeap)
            .uncommitDelay(Duration.ofSeconds(30))
            .zeroed(false) // as Arrow's: vectors clear what they need
            .build();
    AllocationManager.Factory factory = ArenalAllocationManager.factory(pages);
    AllocationManager.Factory forCaches =
        ArenalAllocationManager.factory(pages, PageAge.LONG_LIVED);

    assertUsesTheBudget(factory, pages, offHeap);
    assertUsesTheBudget(forCaches, pages, offHeap);
    pages.close();
  }

  private static void assertUsesTheBudget(
      AllocationManager.Factory factory, PageAllocator pages, Budget budget) {
    try (BufferAllocator root =
            new RootAllocator(
                RootAllocator.configBuilder().allocationManagerFactory(factory).build());
        ArrowBuf buffer = root.buffer(1000)) {
      assertThat(pages.usedBytes()).isGreaterThanOrEqualTo(buffer.capacity());
      assertThat(budget.committedBytes()).isPositive();
    }
    assertThat(pages.usedBytes()).isZero();
  }
}
