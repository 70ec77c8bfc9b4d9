package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.page.granule.Supplies;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.page.span.PaperPages;
import dev.arenal.page.span.SmallPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    allocators.isZeroed = false; // the bytes are not read
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
    long freeBytes = 0;
    for (LockedHeap heap : pages.state().heaps) {
      freeBytes += heap.freeBytes();
      if (heap instanceof MediumHeap medium) {
        freeBytes += medium.bytesAboveTheTop();
      }
    }
    SupplyFigures figures = pages.state().supply.figures();
    assertThat(report.freeBytes()).as(text).isEqualTo(freeBytes);
    assertThat(report.cachedBytes()).as(text).isEqualTo(figures.cachedBytes());
    assertThat(report.wasteBytes())
        .as(text)
        .isEqualTo(figures.committedBytes() - figures.cachedBytes() - freeBytes - usedBytes);
    assertThat(report.capacityBytes()).isEqualTo(256 * MIB);
    assertThat(report.reservedBytes()).isEqualTo(1024 * MIB);
  }

  /**
   * Whatever happens between its readings: no part is negative, those of the pages are together as
   * large as the pages that are counted, and what was open all the time is used, what was open at
   * no moment is not. With small pages only, whose size is known, the sum is exact.
   */
  @ParameterizedTest
  @ValueSource(longs = {MIB / 4, 10 * MIB})
  void partsFitEachOther_whileThreadsAllocate(long largestBytes) throws Exception {
    allocators.isZeroed = false;
    allocators.slackPercent = 1_000_000; // no part of a page goes back, so its size is known
    PageAllocator pages = allocators.open();
    Ledger ledger = new Ledger();
    AtomicBoolean isDone = new AtomicBoolean();
    List<PageBuffer> open = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<List<PageBuffer>>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        SplittableRandom random = new SplittableRandom(Seeds.derive("PageReport threads", i));
        results.add(threads.submit(() -> churn(pages, random, largestBytes, ledger, isDone)));
      }
      try {
        for (int i = 0; i < 1000; i++) {
          requireFit(pages, ledger);
        }
      } finally {
        isDone.set(true);
      }
      for (Future<List<PageBuffer>> result : results) {
        open.addAll(result.get());
      }
    }
    requireLaw(pages, open.stream().mapToLong(PageBuffer::sizeBytes).sum());
    open.forEach(PageBuffer::close);
    requireLaw(pages, 0);
  }

  private static void requireFit(PageAllocator pages, Ledger ledger) {
    long openedBytes = ledger.openedBytes.get();
    long closedBytes = ledger.closedBytes.get();
    PageReport report = pages.report();
    long leastUsedBytes = openedBytes - ledger.closingBytes.get();
    long mostUsedBytes = ledger.openingBytes.get() - closedBytes;
    String text = report + " " + Seeds.hint();
    long leastBytes = 2L * report.smallPageCount();
    long mostBytes = leastBytes;
    leastBytes += 2L * report.mediumPageCount() + 2L * report.largePageCount();
    mostBytes += 32L * report.mediumPageCount() + 10L * report.largePageCount();
    assertThat(report.usedBytes() + report.freeBytes() + report.wasteBytes())
        .as(text)
        .isBetween(leastBytes * MIB, mostBytes * MIB);
    assertThat(report.usedBytes()).as(text).isBetween(0L, mostUsedBytes);
    if (report.wasteBytes() > 0) { // else it may have been cut
      assertThat(report.usedBytes()).as(text).isGreaterThanOrEqualTo(leastUsedBytes);
    }
    assertThat(report.freeBytes()).as(text).isNotNegative();
    assertThat(report.wasteBytes()).as(text).isNotNegative();
    assertThat(report.cachedBytes()).as(text).isBetween(0L, 256 * MIB);
    assertThat(report.waitingThreadCount()).isZero();
  }

  /** Bytes of buffers that threads open and close, counted before and after each call. */
  private static final class Ledger {
    final AtomicLong openingBytes = new AtomicLong();
    final AtomicLong openedBytes = new AtomicLong();
    final AtomicLong closingBytes = new AtomicLong();
    final AtomicLong closedBytes = new AtomicLong();
  }

  /** Opens and closes buffers, 30 at a time; returns those that are open in the end. */
  private static List<PageBuffer> churn(
      PageAllocator pages,
      SplittableRandom random,
      long largestBytes,
      Ledger ledger,
      AtomicBoolean isDone) {
    List<PageBuffer> open = new ArrayList<>();
    while (!isDone.get()) {
      boolean mayOpen = open.size() < 30;
      long wantedBytes = randomBytes(random, largestBytes);
      int victim = open.isEmpty() ? 0 : random.nextInt(open.size());
      ledger.openingBytes.addAndGet(mayOpen ? wantedBytes : 0);
      PageBuffer buffer = mayOpen ? pages.tryAllocate(wantedBytes, randomAge(random)) : null;
      if (buffer != null) {
        ledger.openedBytes.addAndGet(wantedBytes);
        open.add(buffer);
        continue;
      }
      ledger.openingBytes.addAndGet(mayOpen ? -wantedBytes : 0);
      if (!open.isEmpty()) {
        PageBuffer closing = open.remove(victim);
        ledger.closingBytes.addAndGet(closing.sizeBytes());
        closing.close();
        ledger.closedBytes.addAndGet(closing.sizeBytes());
      }
    }
    return open;
  }

  /** Any size up to ten megabytes, small ones more often. */
  private static @Nullable PageBuffer random(PageAllocator pages, SplittableRandom random) {
    return pages.tryAllocate(randomBytes(random, 10 * MIB), randomAge(random));
  }

  private static long randomBytes(SplittableRandom random, long largestBytes) {
    return (long) Math.exp(random.nextDouble() * Math.log((double) largestBytes));
  }

  private static PageAge randomAge(SplittableRandom random) {
    return random.nextBoolean() ? PageAge.SHORT_LIVED : PageAge.LONG_LIVED;
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
    PaperPages paper = new PaperPages();
    SmallPage page = paper.smallPage(0, true);
    page.take(0, 100);
    PageTally tally = new PageTally();
    tally.add(page);
    tally.usedBytes += 50_000_000; // some of it in pages that came after their heap was read
    SupplyFigures figures = supplies.open().figures();
    PageReport report = tally.report(supplies.settings(supplies.os), figures, 3, List.of());
    assertThat(report.usedBytes()).isEqualTo(100 << 10);
    assertThat(report.freeBytes()).isEqualTo((2 << 20) - (100 << 10));
    assertThat(report.wasteBytes()).isZero();
    assertThat(report.waitingThreadCount()).isEqualTo(3);
    tally.freeBytes += 50_000_000;
    tally.usedBytes += -60_000_000;
    report = tally.report(supplies.settings(supplies.os), figures, 0, List.of());
    assertThat(report.usedBytes()).isZero();
    assertThat(report.freeBytes()).isEqualTo(2 << 20);
    assertThat(report.committedBytes()).isEqualTo(2 << 20);
  }
}
