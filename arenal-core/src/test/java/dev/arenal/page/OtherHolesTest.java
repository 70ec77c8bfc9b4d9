package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that the budget refuses while another user of it has free memory in holes. */
@Timeout(60)
class OtherHolesTest {
  private static final long LIMIT_BYTES = 64 * MIB;
  private static final long OLD_BYTES = 20_000;
  private static final long OS_PAGE_BYTES = 4096;

  @RegisterExtension final Allocators allocators = new Allocators();

  private final Budget budget = Budget.limitedTo("shared", LIMIT_BYTES);
  private final List<PageBuffer> kept = new ArrayList<>();

  @AfterEach
  void closeKept() {
    kept.forEach(PageBuffer::close);
  }

  @Test
  void holesGiveWay_toAPageOfAnother() {
    PageAllocator holder = open("holder");
    PageAllocator other = open("other");
    fillAndFree(holder, LIMIT_BYTES, 10);
    PageBuffer buffer = requireNonNull(other.tryAllocate(24 * MIB), "refused");
    assertThat(holder.committedBytes()).isBetween(LIMIT_BYTES - 28 * MIB, LIMIT_BYTES - 24 * MIB);
    buffer.close();
  }

  /** Its page is all that the capacity has. */
  @Test
  void holesGiveWay_toAPageOfTheWholeCapacity() {
    PageAllocator holder = open("holder");
    fillAndFree(holder, LIMIT_BYTES, 10);
    allocators.capacityBytes = 24 * MIB;
    requireNonNull(open("other").tryAllocate(24 * MIB), "refused").close();
  }

  @Test
  void holesGiveWay_toAnArena() {
    PageAllocator holder = open("holder");
    fillAndFree(holder, LIMIT_BYTES, 10);
    try (ElasticSpace space = ElasticSpace.builder("space").budget(budget).build();
        ElasticArena arena = space.openConfined()) {
      assertThat(arena.allocate(1000).byteSize()).isEqualTo(1000);
      assertThat(arena.allocate(12 * MIB).byteSize()).isEqualTo(12 * MIB);
    }
    assertThat(holder.committedBytes()).isGreaterThan(LIMIT_BYTES / 2);
  }

  @Test
  void holesGiveWay_toATable() {
    PageAllocator holder = open("holder");
    fillAndFree(holder, LIMIT_BYTES, 10);
    try (ReservedMemory table = ReservedMemory.reserve("table", 64 * MIB, budget)) {
      assertThat(table.commit(0, 24 * MIB)).isEqualTo(24 * MIB);
      assertThatThrownBy(() -> table.commit(24 * MIB, 40 * MIB))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class);
      assertThat(holder.committedBytes()).isGreaterThan(LIMIT_BYTES - 28 * MIB);
    }
  }

  /** Where the own ones are enough, those of others stay; else both go. */
  @Test
  void ownHolesGoFirst() {
    PageAllocator holder = open("holder");
    PageAllocator other = open("other");
    fillAndFree(holder, LIMIT_BYTES / 2, 10);
    fillAndFree(other, LIMIT_BYTES / 2, 10);
    long heldBytes = holder.committedBytes();
    PageBuffer first = requireNonNull(other.tryAllocate(16 * MIB), "refused");
    assertThat(holder.committedBytes()).isEqualTo(heldBytes);
    PageBuffer second = requireNonNull(other.tryAllocate(24 * MIB), "refused");
    assertThat(holder.committedBytes()).isLessThan(heldBytes - 8 * MIB);
    first.close();
    second.close();
  }

  /** Nobody is served by them: they stay for buffers that fit into them. */
  @Test
  void holesStay_whereAllTogetherAreNotEnough() {
    PageAllocator holder = open("holder");
    PageAllocator other = open("other");
    fillAndFree(holder, LIMIT_BYTES, 2);
    long heldBytes = holder.committedBytes();
    for (int i = 0; i < 3; i++) {
      assertThat(other.tryAllocate(60 * MIB)).isNull();
    }
    assertThat(holder.committedBytes()).isEqualTo(heldBytes);
    int count = kept.size();
    fillAndFree(holder, 8 * MIB, 1);
    assertThat(kept).hasSizeGreaterThan(count + 300);
    assertThat(holder.committedBytes()).isEqualTo(heldBytes);
  }

  /** The budget would let none of them come back. */
  @Test
  void holesStay_underALoweredLimit() {
    PageAllocator holder = open("holder");
    PageAllocator other = open("other");
    fillAndFree(holder, LIMIT_BYTES, 10);
    budget.setLimitBytes(LIMIT_BYTES - 4 * MIB);
    assertThat(other.tryAllocate(16 * MIB)).isNull();
    assertThat(holder.committedBytes()).isEqualTo(LIMIT_BYTES);
  }

  /** The same memory that a count has found in vain may be enough with what is freed later. */
  @Test
  void whatIsFreedAfterARefusal_givesWay() {
    PageAllocator holder = open("holder");
    PageAllocator other = open("other");
    fillAndFree(holder, LIMIT_BYTES, 2);
    assertThat(other.tryAllocate(60 * MIB)).isNull();
    assertThat(other.tryAllocate(40 * MIB)).isNull();
    List<PageBuffer> buffers = List.copyOf(kept);
    kept.clear();
    for (int i = 0; i < buffers.size(); i++) {
      if (i % 16 == 0) {
        kept.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
    requireNonNull(other.tryAllocate(40 * MIB), "refused").close();
  }

  /**
   * One thread, whole OS pages, up to three allocators and a table: whatever lies where, a request
   * is served as long as the budget has room for it beside all that is in use.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void nothingIsRefused_thatTheBudgetHasRoomFor(long seed) {
    Random random = new Random(seed);
    allocators.capacityBytes = 8 * LIMIT_BYTES;
    List<PageAllocator> pages = new ArrayList<>();
    while (pages.size() < 1 + seed % 3) {
      pages.add(open("number " + pages.size()));
    }
    try (ReservedMemory table = ReservedMemory.reserve("table", LIMIT_BYTES, budget)) {
      for (int i = 0; i < 6000; i++) {
        PageAllocator any = pages.get(random.nextInt(pages.size()));
        long sizeBytes = any.roundUp(OS_PAGE_BYTES * (1 + random.nextInt(4 << random.nextInt(9))));
        long roomBytes = LIMIT_BYTES * 98 / 100 - table.committedBytes() - keptBytes(pages);
        int drawn = random.nextInt(100);
        if (drawn < 50 && sizeBytes <= roomBytes) {
          PageAge age = random.nextBoolean() ? PageAge.SHORT_LIVED : PageAge.LONG_LIVED;
          kept.add(any.allocate(sizeBytes, age)); // or the test fails
        } else if (drawn < 51) {
          closeMost(random);
        } else if (drawn < 95 && !kept.isEmpty()) {
          Collections.swap(kept, random.nextInt(kept.size()), kept.size() - 1);
          kept.removeLast().close();
        } else if (table.committedBytes() > 0) {
          var _ = table.uncommit(0, LIMIT_BYTES);
        } else if (MIB * drawn / 6 <= roomBytes) {
          var _ = table.commit(0, (MIB * drawn / 6) & -table.pageBytes());
        }
      }
    }
  }

  private static long keptBytes(List<PageAllocator> pages) {
    return pages.stream().mapToLong(PageAllocator::usedBytes).sum();
  }

  private void closeMost(Random random) {
    List<PageBuffer> buffers = List.copyOf(kept);
    kept.clear();
    for (PageBuffer buffer : buffers) {
      if (random.nextInt(8) == 0) {
        kept.add(buffer);
      } else {
        buffer.close();
      }
    }
  }

  /** Holes that a refused request has counted may be in use by the time of the next one. */
  @Test
  void holesStay_whereThoseOfTheRequestAreInUseMeanwhile() {
    PageAllocator holder = open("holder");
    PageAllocator other = open("other");
    fillAndFree(other, LIMIT_BYTES / 2, 2);
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 8000; i++) {
      buffers.add(requireNonNull(holder.tryAllocate(3000), "refused"));
    }
    for (int i = 0; i < buffers.size(); i++) { // half of what is free is in no whole OS page
      if (i % 3 == 0) {
        kept.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
    fillAndFree(holder, 6 * MIB, 2);
    assertThat(other.tryAllocate(30 * MIB)).isNull();
    fillAndFree(other, LIMIT_BYTES / 4, 1);
    long heldBytes = holder.committedBytes();
    for (int i = 28; i > 16; i--) { // until the count of all holes, or one of those in use, fits
      assertThat(other.tryAllocate(i * MIB)).isNull();
      assertThat(holder.committedBytes()).isEqualTo(heldBytes);
    }
  }

  /** Each of the last few buffers may be all that keeps an OS page. */
  @Test
  void fewSmallBuffersThatAreFreedAfterARefusal_giveWay() {
    budget.setLimitBytes(8 * MIB);
    PageAllocator pages = open("pages");
    List<PageBuffer> last = new ArrayList<>();
    long lastPage = 0;
    PageBuffer next;
    while ((next = pages.tryAllocate(32)) != null) {
      long page = next.segment().address() / 4096;
      if (page == lastPage) {
        kept.add(next);
      } else {
        last.add(next);
      }
      lastPage = page;
    }
    closeKept();
    kept.clear();
    assertThat(pages.tryAllocate(2 * MIB)).isNull();
    for (int i = 0; i < last.size(); i++) {
      if (i % 3 == 0) {
        last.get(i).close();
      } else {
        kept.add(last.get(i));
      }
    }
    requireNonNull(pages.tryAllocate(2 * MIB), "refused").close();
  }

  /** A close takes no page for one in use that is just in hand for another user of the budget. */
  @Test
  void close_whileOthersAsk_isNotRefused() throws InterruptedException {
    PageAllocator other = open("other");
    AtomicBoolean isOver = new AtomicBoolean();
    Thread asker =
        new Thread(() -> {
          while (!isOver.get()) {
            PageBuffer buffer = other.tryAllocate(24 * MIB);
            if (buffer != null) {
              buffer.close();
            }
          }
        });
    asker.start();
    try {
      for (int i = 0; i < 200; i++) {
        PageAllocator holder = open("holder " + i);
        fillAndFree(holder, 32 * MIB, 10);
        kept.forEach(PageBuffer::close);
        kept.clear();
        holder.close();
      }
    } finally {
      isOver.set(true);
      asker.join();
    }
  }

  private PageAllocator open(String name) {
    allocators.name = name;
    allocators.budget = budget;
    return allocators.open();
  }

  /** Takes so many bytes, or what there is, and closes all buffers but one of so many. */
  private void fillAndFree(PageAllocator pages, long totalBytes, int one) {
    List<PageBuffer> buffers = new ArrayList<>();
    PageBuffer next;
    while (buffers.size() < totalBytes / OLD_BYTES
        && (next = pages.tryAllocate(OLD_BYTES)) != null) {
      buffers.add(next);
    }
    for (int i = 0; i < buffers.size(); i++) {
      if (i % one == 0) {
        kept.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
  }
}
