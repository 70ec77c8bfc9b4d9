package dev.arenal.arrow;

import dev.arenal.page.PageAllocator;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.rounding.RoundingPolicy;

/** Root allocators for tests, and their pages. */
final class Roots {
  private Roots() {}

  /** Pages of some size; a test that leaves a buffer open cannot close them. */
  static PageAllocator pages() {
    return pages(512L << 20);
  }

  static PageAllocator pages(long capacityBytes) {
    return PageAllocator.builder("test").capacityBytes(capacityBytes).zeroed(false).build();
  }

  static BufferAllocator over(PageAllocator pages) {
    return over(ArenalAllocationManager.factory(pages));
  }

  static BufferAllocator over(AllocationManager.Factory factory) {
    return new RootAllocator(
        RootAllocator.configBuilder().allocationManagerFactory(factory).build());
  }

  static BufferAllocator over(PageAllocator pages, RoundingPolicy rounding) {
    return new RootAllocator(
        RootAllocator.configBuilder()
            .allocationManagerFactory(ArenalAllocationManager.factory(pages))
            .roundingPolicy(rounding)
            .build());
  }
}
