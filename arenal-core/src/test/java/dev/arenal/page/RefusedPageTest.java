package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A page that the budget refuses while the pages in use have more than enough free memory. */
@Timeout(60)
class RefusedPageTest {
  private static final long LIMIT_BYTES = 64 * MIB;

  @RegisterExtension final Allocators allocators = new Allocators();

  /** No hole fits, and nothing is cached: of ten buffers nine are free, and the tenth stays. */
  @ParameterizedTest
  @CsvSource({
    "20_000, 300_000", // ranges
    "20_000, 33_554_432",
    "4_096, 262_144", // slots
    "4_096, 4_194_304",
    "400_000, 33_554_432" // medium pages
  })
  void holesGiveWay(long oldBytes, long sizeBytes) {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, oldBytes, 10);
    PageBuffer buffer = pages.tryAllocate(sizeBytes);
    assertThat(buffer).as(pages.report().toString()).isNotNull();
    assertThat(allocators.budget.committedBytes()).isLessThanOrEqualTo(LIMIT_BYTES);
    // Not more than it takes: a page of medium buffers may be larger than the buffer.
    assertThat(pages.committedBytes()).isGreaterThan(LIMIT_BYTES - 8 * MIB);
    requireNonNull(buffer).close();
    kept.forEach(PageBuffer::close);
  }

  /** The same for a request that waits while others wait, too. */
  @Test
  void holesGiveWay_toOneThatMayWait() {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, 20_000, 10);
    pages.allocate(16 * MIB, Duration.ofSeconds(20)).close();
    kept.forEach(PageBuffer::close);
  }

  /** Where all holes together would not be enough, they stay for buffers that fit into them. */
  @Test
  void holesStay_whereTheyAreNotEnough() {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, 20_000, 2);
    long committedBytes = pages.committedBytes();
    assertThat(pages.tryAllocate(48 * MIB)).isNull();
    assertThat(pages.committedBytes()).isEqualTo(committedBytes);
    kept.forEach(PageBuffer::close);
  }

  /** Half of the slots of each OS page are free, which is of no use; then most of them are. */
  @Test
  void whatIsFreedAfterARefusal_givesWay() {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, 1_000, 2);
    assertThat(pages.tryAllocate(16 * MIB)).isNull();
    assertThat(pages.tryAllocate(16 * MIB)).isNull();
    for (int i = 0; i < kept.size(); i++) {
      if (i % 64 != 0) {
        kept.get(i).close();
      }
    }
    pages.allocate(16 * MIB).close();
    for (int i = 0; i < kept.size(); i += 64) {
      kept.get(i).close();
    }
  }

  /** The budget would let none of them come back, for any request. */
  @Test
  void holesStay_underALoweredLimit() {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, 20_000, 10);
    long committedBytes = pages.committedBytes();
    allocators.budget.setLimitBytes(LIMIT_BYTES - 4 * MIB);
    assertThat(pages.tryAllocate(16 * MIB)).isNull();
    assertThat(pages.committedBytes()).isEqualTo(committedBytes);
    kept.forEach(PageBuffer::close);
  }

  /** A refusal has looked at all pages in vain; other holes may come after it. */
  @Test
  void holesGiveWay_whereOthersCouldNot() {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, 1000, 2); // each OS page has a buffer
    assertThat(pages.tryAllocate(16 * MIB)).isNull();
    PageBuffer next;
    while ((next = pages.tryAllocate(1000)) != null) {
      kept.add(next);
    }
    kept.sort(Comparator.comparingLong(buffer -> buffer.segment().address()));
    kept.subList(0, kept.size() / 2).forEach(PageBuffer::close);
    PageBuffer buffer = pages.tryAllocate(16 * MIB);
    assertThat(buffer).as(pages.report().toString()).isNotNull();
    requireNonNull(buffer).close();
    kept.subList(kept.size() / 2, kept.size()).forEach(PageBuffer::close);
  }

  /** Of the capacity a hole that has gone back still takes its part. */
  @Test
  void holesStay_whereTheCapacityIsUsedUp() {
    allocators.budget = Budget.limitedTo("used up", LIMIT_BYTES);
    allocators.capacityBytes = LIMIT_BYTES;
    PageAllocator pages = allocators.open();
    List<PageBuffer> kept = fillAndFree(pages, 20_000, 10);
    long committedBytes = pages.committedBytes();
    assertThat(pages.tryAllocate(16 * MIB)).isNull();
    assertThat(pages.committedBytes()).isEqualTo(committedBytes);
    kept.forEach(PageBuffer::close);
  }

  /** A hole that fits has gone; those that have not are too small, and not enough for a page. */
  @Test
  void smallHolesGiveWay_toALargerOneThatHasGone() {
    PageAllocator pages = openAtTheLimit();
    List<PageBuffer> kept = fillAndFree(pages, 100_000, 1);
    for (int i = 0; i < 60; i++) {
      kept.removeLast().close();
    }
    List<PageBuffer> small = fillAndFree(pages, 20_000, 1);
    kept.remove(kept.size() / 2).close();
    assertThat(pages.trim()).isPositive();
    long availableBytes = allocators.budget.availableBytes();
    try (ReservedMemory rest = ReservedMemory.reserve("rest", 8 * MIB, allocators.budget)) {
      var _ = rest.commit(0, availableBytes & -rest.pageBytes());
      assertThat(pages.tryAllocate(100_000)).isNull();
      for (int i = 0; i < 24; i++) {
        small.remove(small.size() - 2 - i).close(); // every other one
      }
      PageBuffer buffer = pages.tryAllocate(100_000);
      assertThat(buffer).as(pages.report().toString()).isNotNull();
      requireNonNull(buffer).close();
    }
    small.forEach(PageBuffer::close);
    kept.forEach(PageBuffer::close);
  }

  private PageAllocator openAtTheLimit() {
    allocators.budget = Budget.limitedTo("used up", LIMIT_BYTES);
    return allocators.open();
  }

  /** Uses the limit up, and closes all buffers but one of so many; returns these. */
  private static List<PageBuffer> fillAndFree(PageAllocator pages, long sizeBytes, int one) {
    List<PageBuffer> buffers = new ArrayList<>();
    PageBuffer next;
    while ((next = pages.tryAllocate(sizeBytes)) != null) {
      buffers.add(next);
    }
    List<PageBuffer> kept = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      if (i % one == 0) {
        kept.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
    return kept;
  }
}
