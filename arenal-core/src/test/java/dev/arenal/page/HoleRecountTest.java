package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holes that came after a count that was in vain. */
@Timeout(60)
class HoleRecountTest {
  private static final long LIMIT_BYTES = 16 * MIB;

  @RegisterExtension final Allocators allocators = new Allocators();

  private final Budget budget = Budget.limitedTo("shared", LIMIT_BYTES);
  private final List<PageBuffer> kept = new ArrayList<>();

  @AfterEach
  void closeKept() {
    kept.forEach(PageBuffer::close);
  }

  /** Pages full of slots of which three of four are free, and none of the OS pages as a whole. */
  private List<PageBuffer> scatter(PageAllocator allocator, long sizeBytes) {
    List<PageBuffer> all = new ArrayList<>();
    while (allocator.committedBytes() < sizeBytes || all.size() % 2048 != 0) {
      all.add(requireNonNull(allocator.tryAllocate(1024)));
    }
    for (PageBuffer buffer : all) {
      if (buffer.segment().address() % 4096 == 0) {
        kept.add(buffer);
      } else {
        buffer.close();
      }
    }
    return List.copyOf(kept);
  }

  @ParameterizedTest
  @ValueSource(longs = {20_000, 300_000})
  void restOfANewPage_givesWay(long sizeBytes) {
    allocators.budget = budget;
    PageAllocator holder = allocators.open();
    scatter(holder, 4 * MIB);
    try (ReservedMemory table = ReservedMemory.reserve("table", LIMIT_BYTES, budget)) {
      long freeBytes = LIMIT_BYTES - holder.committedBytes();
      var _ = table.commit(0, freeBytes - 2 * MIB);
      assertThatThrownBy(() -> table.commit(freeBytes - 2 * MIB, 3 * MIB))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class);
      kept.add(requireNonNull(holder.tryAllocate(sizeBytes)));
      assertThat(holder.committedBytes() + table.committedBytes()).isEqualTo(LIMIT_BYTES);
      assertThat(table.commit(freeBytes - 2 * MIB, MIB)).isEqualTo(MIB);
    }
  }

  /** A reclaimer that asks for memory itself counts holes before those of racks are there. */
  @Test
  void whatWasAtHandAtTheCount_givesWay() {
    allocators.budget = budget;
    allocators.hasMagazines = true;
    PageAllocator holder = allocators.open();
    List<PageBuffer> last = scatter(holder, 4 * MIB).subList(0, 64);
    kept.removeAll(last);
    try (ReservedMemory table = ReservedMemory.reserve("table", LIMIT_BYTES, budget)) {
      var _ = holder.trim();
      var _ = table.commit(0, budget.availableBytes());
      last.forEach(PageBuffer::close);
      long offsetBytes = table.committedBytes();
      long wantedBytes = 60 * table.pageBytes();
      AtomicInteger refusedCount = new AtomicInteger();
      Budget.Reclaimer reclaimer =
          _ -> {
            if (refusedCount.get() == 0) {
              assertThatThrownBy(() -> table.commit(offsetBytes, wantedBytes))
                  .isExactlyInstanceOf(OutOfNativeMemoryError.class);
              refusedCount.incrementAndGet();
            }
            return 0;
          };
      try (Budget.Registration _ = budget.addReclaimer(reclaimer)) {
        assertThat(table.commit(offsetBytes, wantedBytes)).isEqualTo(wantedBytes);
      }
      assertThat(refusedCount).hasValue(1);
    }
  }

  /** What the kernel does not take back keeps nothing else of the same page. */
  @ParameterizedTest
  @ValueSource(longs = {20_000, 300_000})
  void lockedMemory_doesNotKeepTheRestOfItsPage(long sizeBytes) {
    allocators.budget = budget;
    PageAllocator holder = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (long i = 0; i < MIB / sizeBytes; i++) {
      buffers.add(requireNonNull(holder.tryAllocate(sizeBytes)));
    }
    allocators.os.refuseToTake(buffers.getFirst().segment().address(), MIB / 2);
    kept.add(buffers.removeLast());
    buffers.forEach(PageBuffer::close);
    try (ReservedMemory table = ReservedMemory.reserve("table", LIMIT_BYTES, budget)) {
      var _ = table.commit(0, budget.availableBytes());
      assertThat(table.commit(table.committedBytes(), MIB / 4)).isEqualTo(MIB / 4);
      var _ = holder.trim();
      assertThat(holder.committedBytes()).isLessThan(MIB);
    }
    allocators.os.refuseToTake(0, 0);
  }

  /** A count looks at a few pages at a time, and a batch at all. */
  @Test
  void manyPagesWithoutHoles_hideNoHole() {
    PageAllocator holder = allocators.open();
    List<PageBuffer> lowest = scatter(holder, 80 * MIB);
    assertThat(holder.report().smallPageCount()).isGreaterThanOrEqualTo(40);
    var _ = holder.trim();
    lowest = lowest.stream().sorted(HoleRecountTest::byAddress).limit(32).toList();
    kept.removeAll(lowest);
    lowest.forEach(PageBuffer::close);
    assertThat(countedBytes(holder)).isEqualTo(32 * 4096);
    assertThat(holder.trim()).isEqualTo(32 * 4096);
  }

  @Test
  void holesOfAllPages_areCounted() {
    PageAllocator holder = allocators.open();
    List<PageBuffer> all = scatter(holder, 140 * MIB);
    var _ = holder.trim();
    for (int i = 0; i < all.size(); i += 100) {
      kept.remove(all.get(i));
      all.get(i).close();
    }
    long countedBytes = countedBytes(holder);
    assertThat(countedBytes).isEqualTo(Math.ceilDiv(all.size(), 100) * 4096L);
    assertThat(holder.trim()).isEqualTo(countedBytes);
  }

  private static long countedBytes(PageAllocator holder) {
    return holder.state().heaps.stream().mapToLong(heap -> heap.countHoles(Long.MAX_VALUE)).sum();
  }

  /** Own ones count once. */
  @Test
  void holesStay_whereTwiceAsManyWouldBeEnough() {
    allocators.budget = budget;
    PageAllocator holder = allocators.open();
    List<PageBuffer> all = scatter(holder, 10 * MIB);
    var _ = holder.trim();
    try (ReservedMemory table = ReservedMemory.reserve("table", LIMIT_BYTES, budget)) {
      var _ = table.commit(0, budget.availableBytes());
      for (int i = 0; i < 2400; i += 4) { // 2.3 MiB, and no page as a whole
        kept.remove(all.get(i));
        all.get(i).close();
      }
      long heldBytes = holder.committedBytes();
      assertThat(holder.tryAllocate(4 * MIB)).isNull();
      assertThat(holder.committedBytes()).isEqualTo(heldBytes);
      requireNonNull(holder.tryAllocate(2 * MIB), "refused").close();
    }
  }

  @Test
  void holeOfSlots_thatIsAsLongAsMayGo_goes() {
    PageAllocator holder = allocators.open();
    PageBuffer first = scatter(holder, 2 * MIB).getFirst();
    var _ = holder.trim();
    kept.remove(first);
    first.close();
    long wentBytes = 0;
    for (LockedHeap heap : holder.state().heaps) {
      wentBytes += heap.discardHoles(true, 4095, 1);
    }
    assertThat(wentBytes).isZero();
    for (LockedHeap heap : holder.state().heaps) {
      wentBytes += heap.discardHoles(true, 4096, 1);
    }
    assertThat(wentBytes).isEqualTo(4096);
  }

  private static int byAddress(PageBuffer one, PageBuffer other) {
    return Long.compare(one.segment().address(), other.segment().address());
  }
}
