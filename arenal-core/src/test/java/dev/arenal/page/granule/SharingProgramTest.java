package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.Budget;
import dev.arenal.os.Errno;
import dev.arenal.os.NativeMemory;
import dev.arenal.supply.Claim;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drawn programs over several supplies that share what is free, by one thread and by many: no page
 * loses its contents, none that is said to be zero is not, and the budget is the sum of all.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SharingProgramTest {
  private static final int PROGRAM_COUNT = 40;
  private static final int STEP_COUNT = 300;
  private static final int SUPPLY_COUNT = 3;
  private static final long LIMIT_BYTES = 60 * MIB;

  /** A page, and where it was taken. */
  private record Held(PageSupply supply, PageMemory page, long stamp) {
    MemorySegment memory() {
      return NativeMemory.segment(page.address, page.sizeBytes);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void drawnPrograms_keepAllContents(boolean mayFail) {
    for (int number = 0; number < PROGRAM_COUNT; number++) {
      SplittableRandom random = new SplittableRandom(Seeds.derive("Sharing " + mayFail, number));
      Supplies supplies = new Supplies();
      try {
        List<PageSupply> all = open(supplies, random);
        if (mayFail) {
          supplies.os.failCalls(1 + random.nextInt(100), 1 + random.nextInt(20), Errno.ENOMEM);
        }
        List<Held> pages = new ArrayList<>();
        for (int step = 0; step < STEP_COUNT; step++) {
          step(all.get(random.nextInt(all.size())), pages, random, !mayFail, supplies.budget, all);
          verify(supplies, all);
        }
        finish(supplies, pages);
      } catch (AssertionError e) {
        throw new AssertionError(Seeds.hint() + ", program " + number + ": " + e.getMessage(), e);
      }
    }
  }

  /** Those of many threads, while others trim, and one closes again and again. */
  @Test
  void manyThreads_keepAllContents() throws Exception {
    SplittableRandom random = new SplittableRandom(Seeds.derive("SharingThreads", 0));
    Supplies supplies = new Supplies();
    List<PageSupply> all = open(supplies, random);
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      PageSupply supply = all.get(i % all.size());
      SplittableRandom own = random.split();
      tasks.add(() -> {
        List<Held> pages = new ArrayList<>();
        for (int step = 0; step < 3000; step++) {
          step(supply, pages, own, false, supplies.budget, all);
        }
        pages.forEach(SharingProgramTest::giveBack);
        return null;
      });
    }
    tasks.add(() -> {
      SplittableRandom own = new SplittableRandom(1);
      for (int round = 0; round < 60; round++) {
        Supplies short1 = new Supplies();
        short1.budget = supplies.budget;
        short1.sharesFree = true;
        PageSupply supply = new PageSupply(short1.settings(supplies.os), Supplies.recorder());
        List<Held> pages = new ArrayList<>();
        for (int step = 0; step < 40; step++) {
          step(supply, pages, own, false, supplies.budget, all);
        }
        pages.forEach(SharingProgramTest::giveBack);
        supply.verify();
        supply.close();
      }
      return null;
    });
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (Future<@Nullable Void> result : threads.invokeAll(tasks)) {
        result.get();
      }
    }
    verify(supplies, all);
    finish(supplies, new ArrayList<>());
  }

  private static List<PageSupply> open(Supplies supplies, SplittableRandom random) {
    supplies.budget = Budget.limitedTo("shared", LIMIT_BYTES);
    supplies.sharesFree = true;
    List<PageSupply> all = new ArrayList<>();
    for (int i = 0; i < SUPPLY_COUNT; i++) {
      supplies.uncommitDelay = Duration.ofMillis(random.nextBoolean() ? 0 : 100_000);
      supplies.largestReservationBytes = random.nextBoolean() ? 30 * MIB : Long.MAX_VALUE;
      all.add(supplies.open());
    }
    return all;
  }

  private static void step(
      PageSupply supply,
      List<Held> pages,
      SplittableRandom random,
      boolean mustServe,
      Budget budget,
      List<PageSupply> all) {
    int kind = random.nextInt(12);
    if (kind < 5) {
      long sizeBytes = 2 * MIB * (kind < 3 ? 1 : 1 + random.nextInt(12));
      boolean expected =
          mustServe && isRoomFor(supply, sizeBytes, all) && freeOf(budget, all) >= sizeBytes;
      PageMemory page = supply.tryTake(kind < 3 ? PageKind.SMALL : PageKind.LARGE, sizeBytes, kind);
      check(page != null || !expected, "refused for no reason: " + sizeBytes + ", " + budget);
      if (page != null) {
        pages.add(stamped(supply, page, random.nextLong()));
      }
    } else if (kind < 10) {
      if (!pages.isEmpty()) {
        giveBack(pages.remove(random.nextInt(pages.size())));
      }
    } else if (kind == 10) {
      if (random.nextInt(10) == 0) {
        var _ = supply.trim();
      }
      supply.tick(System.nanoTime());
    } else if (!pages.isEmpty()) { // a part goes back, so that the page is not whole later
      Held held = pages.removeLast();
      Claim part = new Claim();
      part.add(held.page.address, held.page.sizeBytes / 2);
      var _ = held.supply.discard(part);
      held.supply.giveBack(held.page, 0);
    }
  }

  private static boolean isRoomFor(PageSupply supply, long sizeBytes, List<PageSupply> all) {
    SupplyFigures figures = supply.figures();
    return all.contains(supply)
        && figures.usedBytes() + sizeBytes <= figures.capacityBytes()
        && figures.largestPlaceBytes() >= sizeBytes;
  }

  /** Bytes that are not committed, and bytes that are cached anywhere. */
  private static long freeOf(Budget budget, List<PageSupply> all) {
    long bytes = budget.availableBytes();
    for (PageSupply supply : all) {
      bytes += supply.figures().cachedBytes();
    }
    return bytes;
  }

  private static Held stamped(PageSupply supply, PageMemory page, long stamp) {
    Held held = new Held(supply, page, stamp);
    MemorySegment memory = held.memory();
    for (long at = 0; at < page.sizeBytes; at += MIB / 4) {
      boolean isZero = memory.get(ValueLayout.JAVA_LONG, at) == 0;
      check(isZero || !page.isZero, "not zero: at=" + at + ", " + page);
      memory.set(ValueLayout.JAVA_LONG, at, stamp + at);
    }
    return held;
  }

  private static void giveBack(Held held) {
    MemorySegment memory = held.memory();
    for (long at = 0; at < held.page.sizeBytes; at += MIB / 4) {
      long word = memory.get(ValueLayout.JAVA_LONG, at);
      check(word == held.stamp + at, "contents are gone: at=" + at + ", " + held.page);
    }
    held.supply.giveBack(held.page, 0);
  }

  private static void verify(Supplies supplies, List<PageSupply> all) {
    long sumBytes = 0;
    for (PageSupply supply : all) {
      supply.verify();
      sumBytes += supply.figures().committedBytes();
    }
    long budgetBytes = supplies.budget.committedBytes();
    check(sumBytes == budgetBytes, "budget differs: sum=" + sumBytes + ", " + budgetBytes);
  }

  private static void finish(Supplies supplies, List<Held> pages) {
    supplies.os.succeed();
    pages.forEach(SharingProgramTest::giveBack);
    supplies.finish();
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
