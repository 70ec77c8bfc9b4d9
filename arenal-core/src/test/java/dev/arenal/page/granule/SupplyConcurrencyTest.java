package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.NativeMemory;
import dev.arenal.supply.Claim;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several threads take, write, hand over and give back, while others trim and tick. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SupplyConcurrencyTest {
  private static final int THREAD_COUNT = 4;
  private static final int ROUND_COUNT = 4000;

  @RegisterExtension private final Supplies supplies = new Supplies();
  private final ConcurrentLinkedQueue<PageMemory> handedOver = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isDone = new AtomicBoolean();

  @ParameterizedTest
  @CsvSource({"DISCARD, 60000", "DISCARD, 1", "DISCARD, 0", "PROTECT, 60000", "PROTECT, 1"})
  void pagesOfManyThreads_keepTheirContents(CommitMode mode, long delayMillis) throws Exception {
    supplies.mode = mode;
    supplies.uncommitDelay = Duration.ofMillis(delayMillis);
    supplies.budget = Budget.limitedTo("b", 48 * MIB);
    PageSupply supply = supplies.open();
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int i = 0; i < THREAD_COUNT; i++) {
      int owner = i;
      tasks.add(() -> work(supply, owner));
    }
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<@Nullable Void> disturber = threads.submit(() -> disturb(supply));
      try {
        for (Future<@Nullable Void> result : threads.invokeAll(tasks)) {
          result.get();
        }
      } finally {
        isDone.set(true);
      }
      disturber.get();
    }
    PageMemory page;
    while ((page = handedOver.poll()) != null) {
      supply.giveBack(page, 0);
    }
    supply.verify();
    assertThat(supply.figures().usedBytes()).as(Seeds.hint()).isZero();
    var _ = supply.trim();
    assertThat(supplies.budget.committedBytes()).as(Seeds.hint()).isZero();
  }

  private @Nullable Void work(PageSupply supply, int owner) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("SupplyConcurrency", owner));
    List<PageMemory> pages = new ArrayList<>();
    for (int round = 0; round < ROUND_COUNT; round++) {
      switch (random.nextInt(8)) {
        case 0, 1 -> take(supply.tryTake(PageKind.SMALL, 2 * MIB, owner), pages);
        case 2 ->
            take(supply.tryTake(PageKind.MEDIUM, (4 * MIB) << random.nextInt(2), owner), pages);
        case 3 ->
            take(supply.tryTake(PageKind.LARGE, 2 * MIB * (1 + random.nextInt(8)), owner), pages);
        case 4 -> take(supply.tryTakeCached(PageKind.MEDIUM, 4 * MIB, 8 * MIB, owner), pages);
        default -> {
          if (pages.isEmpty()) {
            continue;
          }
          PageMemory page = pages.remove(random.nextInt(pages.size()));
          if (random.nextInt(4) == 0) {
            handedOver.add(page);
            page = handedOver.remove();
          }
          checkStamp(page);
          if (random.nextInt(3) == 0) {
            partly(supply, page, random);
          }
          supply.giveBack(page, owner);
        }
      }
    }
    for (PageMemory page : pages) {
      checkStamp(page);
      supply.giveBack(page, owner);
    }
    return null;
  }

  private static void take(@Nullable PageMemory page, List<PageMemory> pages) {
    if (page == null) {
      return;
    }
    MemorySegment memory = NativeMemory.segment(page.address, page.sizeBytes);
    for (long at = 0; at < page.sizeBytes; at += MIB / 2) {
      if (page.isZero && memory.get(ValueLayout.JAVA_LONG, at) != 0) {
        throw new AssertionError("not zero: at=" + at + ", " + page);
      }
      memory.set(ValueLayout.JAVA_LONG, at, System.identityHashCode(page));
    }
    pages.add(page);
  }

  private static void checkStamp(PageMemory page) {
    MemorySegment memory = NativeMemory.segment(page.address, page.sizeBytes);
    for (long at = 0; at < page.sizeBytes; at += MIB / 2) {
      long stamp = memory.get(ValueLayout.JAVA_LONG, at);
      if (stamp != System.identityHashCode(page)) {
        throw new AssertionError("foreign write: at=" + at + ", stamp=" + stamp + ", " + page);
      }
    }
  }

  private static void partly(PageSupply supply, PageMemory page, SplittableRandom random) {
    Claim ranges = new Claim();
    ranges.add(page.address + MIB, page.sizeBytes - MIB);
    if (supply.discard(ranges) != ranges.totalBytes()) {
      throw new AssertionError("not discarded: " + page);
    }
    if (random.nextBoolean() && supply.recommit(page.address, page.sizeBytes)) {
      MemorySegment memory = NativeMemory.segment(page.address, page.sizeBytes);
      if (memory.get(ValueLayout.JAVA_LONG, page.sizeBytes - MIB / 2) != 0) {
        throw new AssertionError("not zero after recommit: " + page);
      }
    }
  }

  private @Nullable Void disturb(PageSupply supply) throws InterruptedException {
    while (!isDone.get()) {
      supply.tick(System.nanoTime());
      supply.verify();
      SupplyFigures figures = supply.figures();
      assertThat(figures.usedBytes() + figures.cachedBytes())
          .isLessThanOrEqualTo(figures.capacityBytes());
      if (System.nanoTime() % 7 == 0) {
        var _ = supply.trim();
      }
      Thread.sleep(1);
    }
    return null;
  }

  /** Memory that one thread has claimed holds up no other thread. */
  @Test
  void slowKernel_holdsUpNoOtherThread() throws Exception {
    PageSupply supply = supplies.open();
    PageMemory page = supply.tryTake(PageKind.LARGE, 20 * MIB, 0);
    assertThat(page).isNotNull();
    if (page != null) {
      supply.giveBack(page, 0);
    }
    CountDownLatch isInKernel = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    supplies.os.beforeDiscard(() -> {
      isInKernel.countDown();
      try {
        assertThat(mayGoOn.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<Long> trimmed = threads.submit(supply::trim);
      assertThat(isInKernel.await(60, TimeUnit.SECONDS)).isTrue();
      PageMemory meanwhile = supply.tryTake(PageKind.LARGE, 64 * MIB, 0);
      assertThat(meanwhile).isNotNull();
      supply.verify();
      Future<Long> reclaimed = threads.submit(supply::trim); // waits for what is claimed
      mayGoOn.countDown();
      assertThat(trimmed.get()).isEqualTo(20 * MIB);
      assertThat(reclaimed.get()).isBetween(0L, 1L);
    }
    assertThat(supply.figures().committedBytes()).isEqualTo(64 * MIB);
  }
}
