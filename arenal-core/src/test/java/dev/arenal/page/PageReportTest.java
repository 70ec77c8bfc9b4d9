package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The law of the report: what the pages say of themselves is what the budget has been charged with.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PageReportTest {
  @RegisterExtension private final Allocators allocators = new Allocators();
  @RegisterExtension private final Supplies supplies = new Supplies();

  @ParameterizedTest
  @EnumSource
  void sumOfTheParts_isWhatIsCommitted(CommitMode mode) {
    allocators.mode = mode;
    allocators.budget = Budget.unlimited("test");
    allocators.isZeroed = false; // nobody looks
    PageAllocator pages = allocators.open();
    SplittableRandom random = new SplittableRandom(Seeds.derive("PageReport " + mode, 0));
    List<PageBuffer> open = new ArrayList<>();
    long usedBytes = 0;
    for (int round = 0; round < 1500; round++) {
      boolean mayOpen = open.isEmpty() || random.nextInt(100) < (round / 250 % 2 == 0 ? 70 : 30);
      PageBuffer buffer = mayOpen ? random(pages, random) : null;
      if (buffer != null) {
        open.add(buffer);
        usedBytes += buffer.sizeBytes();
      } else if (!open.isEmpty()) {
        PageBuffer victim = open.remove(random.nextInt(open.size()));
        usedBytes -= victim.sizeBytes();
        victim.close();
      }
      switch (random.nextInt(100)) {
        case 0 -> pages.trim();
        case 1 -> allocators.pass(pages, Duration.ofSeconds(9));
        default -> {}
      }
      requireLaw(pages, usedBytes);
    }
    open.forEach(PageBuffer::close);
    requireLaw(pages, 0);
  }

  private void requireLaw(PageAllocator pages, long usedBytes) {
    PageReport report = pages.report();
    String text = report + " " + Seeds.hint();
    assertThat(report.committedBytes())
        .as(text)
        .isEqualTo(pages.committedBytes())
        .isEqualTo(allocators.budget.committedBytes());
    assertThat(report.usedBytes()).as(text).isEqualTo(usedBytes).isEqualTo(pages.usedBytes());
    // Used, cached and committed come from elsewhere; what is free is counted here once more.
    long deadBytes = 0;
    for (LockedHeap heap : pages.state().heaps()) {
      deadBytes += heap.deadBytes();
      if (heap instanceof MediumHeap medium) {
        deadBytes += medium.bytesAboveTheTop();
      }
    }
    SupplyFigures figures = pages.state().supply().figures();
    assertThat(report.freeBytes()).as(text).isEqualTo(deadBytes);
    assertThat(report.cachedBytes()).as(text).isEqualTo(figures.cachedBytes());
    assertThat(report.wasteBytes())
        .as(text)
        .isEqualTo(figures.committedBytes() - figures.cachedBytes() - deadBytes - usedBytes);
    assertThat(report.capacityBytes()).isEqualTo(256 * MIB);
    assertThat(report.reservedBytes()).isEqualTo(1024 * MIB);
  }

  /** No part is negative or more than there can be, whatever happens between its readings. */
  @Test
  void partsArePossible_whileThreadsAllocate() throws Exception {
    allocators.isZeroed = false;
    PageAllocator pages = allocators.open();
    AtomicBoolean isDone = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<@Nullable Void>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        SplittableRandom random = new SplittableRandom(Seeds.derive("PageReport threads", i));
        results.add(threads.submit(() -> churn(pages, random, isDone)));
      }
      try {
        for (int i = 0; i < 150; i++) {
          PageReport report = pages.report();
          String text = report + " " + Seeds.hint();
          assertThat(report.usedBytes()).as(text).isBetween(0L, 256 * MIB);
          assertThat(report.freeBytes()).as(text).isBetween(0L, 256 * MIB);
          assertThat(report.wasteBytes()).as(text).isBetween(0L, 256 * MIB);
          assertThat(report.cachedBytes()).as(text).isBetween(0L, 256 * MIB);
          assertThat(report.countWaiting()).isZero();
        }
      } finally {
        isDone.set(true);
      }
      for (Future<@Nullable Void> result : results) {
        result.get();
      }
    }
    requireLaw(pages, 0);
  }

  private static @Nullable Void churn(
      PageAllocator pages, SplittableRandom random, AtomicBoolean isDone) {
    List<PageBuffer> open = new ArrayList<>();
    while (!isDone.get()) {
      PageBuffer buffer = open.size() < 30 ? random(pages, random) : null;
      if (buffer != null) {
        open.add(buffer);
      } else if (!open.isEmpty()) {
        open.remove(random.nextInt(open.size())).close();
      }
    }
    open.forEach(PageBuffer::close);
    return null;
  }

  /** Any size up to ten megabytes, small ones more often. */
  private static @Nullable PageBuffer random(PageAllocator pages, SplittableRandom random) {
    long sizeBytes = (long) Math.exp(random.nextDouble() * 16.1);
    PageAge age = random.nextBoolean() ? PageAge.SHORT_LIVED : PageAge.LONG_LIVED;
    return pages.tryAllocate(sizeBytes, age);
  }

  @Test
  void pagesOfEachKind_areCounted_andSizesAreSaid() {
    PageAllocator pages = allocators.open();
    PageBuffer small = pages.allocate(MIB / 4, PageAge.SHORT_LIVED);
    PageBuffer old = pages.allocate(MIB / 4, PageAge.LONG_LIVED);
    PageBuffer medium = pages.allocate(MIB, PageAge.SHORT_LIVED);
    PageBuffer large = pages.allocate(5 * MIB, PageAge.SHORT_LIVED);
    pages.allocate(30 * MIB, PageAge.SHORT_LIVED).close();
    assertThat(pages.report())
        .hasToString(
            String.format(
                "test: committed 42.0 MB = used 6.5 + free 4.5 + waste 1.0 + cached 30.0"
                    + " (capacity 256.0, reserved 1024.0)%n"
                    + "  pages: 2 small, 1 medium, 1 large; waiting threads: 0"));
    small.close();
    old.close();
    medium.close();
    large.close();
  }

  /** Readings that do not fit each other are cut to what fits. */
  @Test
  void tally_ofDifferentMoments_hasNoNegativeParts() {
    PaperPages paper = new PaperPages(supplies);
    SmallPage page = paper.smallPage(0, true);
    page.take(0, 100);
    PageTally tally = new PageTally();
    tally.add(PageKind.SMALL, page);
    tally.addUsed(50_000_000); // some of it in pages that came after their heap was read
    SupplyFigures figures = paper.context.supply().figures();
    PageReport report = tally.report(supplies.settings(supplies.os), figures, 3);
    assertThat(report.usedBytes()).isEqualTo(100 << 10);
    assertThat(report.freeBytes()).isEqualTo((2 << 20) - (100 << 10));
    assertThat(report.wasteBytes()).isZero();
    assertThat(report.countWaiting()).isEqualTo(3);
    tally.addFree(50_000_000);
    tally.addUsed(-60_000_000);
    report = tally.report(supplies.settings(supplies.os), figures, 0);
    assertThat(report.usedBytes()).isZero();
    assertThat(report.freeBytes()).isEqualTo(2 << 20);
    assertThat(report.committedBytes()).isEqualTo(2 << 20);
  }
}
