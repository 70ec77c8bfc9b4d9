package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import org.junit.jupiter.api.Test;

/** The page allocator of the whole program. */
final class SharedPagesTest {
  /** A mistake of the program, which would otherwise cost every later buffer. */
  @Test
  void closedPages_areReplaced() {
    PageAllocator first = ArenalAllocationManager.sharedPages();
    assertThat(ArenalAllocationManager.sharedPages()).isSameAs(first);
    first.close();
    PageAllocator second = ArenalAllocationManager.sharedPages();
    assertThat(second).isNotSameAs(first);
    assertThat(second.isClosed()).isFalse();
    assertThat(second.budget()).isSameAs(first.budget());
  }
}
