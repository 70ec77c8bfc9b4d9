package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Other failures while a large buffer is entered into the books. */
final class LargeHeapTest {
  @RegisterExtension private final Allocators allocators = new Allocators();

  /**
   * As on a full Java heap: the thread that unlocks frees pending buffers of others, which may
   * fail.
   */
  @Test
  void failureAfterThePageIsKnown_givesItBackOnce() throws InterruptedException {
    PageContext context = allocators.context();
    LargeHeap heap = new LargeHeap(context, 0, 0);
    PageBuffer stolen = Objects.requireNonNull(heap.allocate(3 * MIB, true));
    context.supply().giveBack(stolen.span().page().memory, 0);
    heap.lock.lock();
    try {
      Thread other = Thread.ofPlatform().start(() -> heap.free(stolen));
      other.join();
    } finally {
      heap.lock.unlock(); // not the heap's: it stays pending
    }
    assertThatThrownBy(() -> heap.allocate(5 * MIB, true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("page is not in use: allocator=test, page=PageMemory[kind=LARGE, ");
    assertThat(heap.pages.count()).isZero();
    assertThat(heap.usedBytesRacy()).isZero();
    assertThat(context.supply().figures().usedBytes()).isZero();
    context.supply().verify();
    context.supply().close(); // its thread ended in the middle: there may be open buffers
    assertThat(allocators.os.unmapWhatIsLeft()).isEqualTo(1);
  }
}
