package dev.arenal.page;

import static dev.arenal.page.granule.Supplies.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.NativeMemory;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.granule.Supplies;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.page.granule.SupplyStatistics;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scenarios of OpenJDK's tests of ZGC's page allocator, with this one; each group has the name
 * of the test there.
 */
final class ZgcScenarioTest {
  private static final long SECOND = 1_000_000_000L;

  @RegisterExtension private final Supplies supplies = new Supplies();

  /** A heap of small pages, then of medium ones, then of large ones: the cache changes sizes. */
  @Nested
  class TestPageCacheFlush {
    @ParameterizedTest
    @EnumSource
    void sizesFollowOneAnother_inTheSameMemory(CommitMode mode) {
      supplies.mode = mode;
      PageSupply supply = supplies.open();
      giveBackAll(supply, takeAll(supply, PageKind.SMALL, 2 * MIB, 32));
      giveBackAll(supply, takeAll(supply, PageKind.MEDIUM, 16 * MIB, 4));
      giveBackAll(supply, takeAll(supply, PageKind.LARGE, 10 * MIB, 6));
      giveBackAll(supply, takeAll(supply, PageKind.SMALL, 2 * MIB, 32));
      assertThat(supply.figures().committedBytes()).isEqualTo(64 * MIB);
      assertThat(supplies.budget.committedBytes()).isEqualTo(64 * MIB);
      // Small pages that were given back in a row are a range: nothing had to move.
      assertThat(supply.statistics().flushedBytes.get()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void scatteredSmallPages_areFlushedForALargeOne(CommitMode mode) {
      supplies.mode = mode;
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      PageMemory large = take(supply, PageKind.LARGE, 30 * MIB, 0);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(30 * MIB);
      assertThat(supply.statistics().harvests.get()).isEqualTo(1);
      assertThat(supply.figures().cachedBytes()).isEqualTo(2 * MIB);
      assertThat(supplies.budget.committedBytes()).isEqualTo(64 * MIB);
      supply.giveBack(large, 0);
      giveBackAll(supply, kept);
    }
  }

  /** Harvesting is for what cannot grow, moves memory as it is, and works in its own holes. */
  @Nested
  class TestMappedCacheHarvest {
    @Test
    void moving_isPreferred() {
      supplies.capacityBytes = 80 * MIB;
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      long committedBytes = supply.figures().committedBytes();
      PageMemory page = take(supply, PageKind.LARGE, 16 * MIB, 0);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(16 * MIB);
      assertThat(supply.figures().committedBytes()).isEqualTo(committedBytes);
      supply.giveBack(page, 0);
      giveBackAll(supply, kept);
    }

    @Test
    void growing_isPreferred_whereMappingsAreFew() {
      supplies.os.setMostMappings(0);
      supplies.capacityBytes = 80 * MIB;
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      PageMemory page = take(supply, PageKind.LARGE, 16 * MIB, 0);
      assertThat(supply.statistics().harvests.get()).isZero();
      assertThat(supply.figures().committedBytes()).isEqualTo(80 * MIB);
      PageMemory other = take(supply, PageKind.LARGE, 8 * MIB, 0);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(8 * MIB);
      supply.giveBack(page, 0);
      supply.giveBack(other, 0);
      giveBackAll(supply, kept);
    }

    @Test
    void onlyTheRest_isHarvested_whereTheBudgetEnds() {
      supplies.os.setMostMappings(0);
      supplies.budget = Budget.limitedTo("b", 72 * MIB);
      supplies.capacityBytes = 128 * MIB;
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      PageMemory page = take(supply, PageKind.LARGE, 20 * MIB, 0);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(12 * MIB);
      assertThat(supplies.budget.committedBytes()).isEqualTo(72 * MIB);
      assertThat(supply.figures().cachedBytes()).isEqualTo(20 * MIB);
      supply.giveBack(page, 0);
      giveBackAll(supply, kept);
    }

    @Test
    void memoryMoves_withoutBeingGivenBack() {
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      PageMemory page = take(supply, PageKind.LARGE, 32 * MIB, 0);
      assertThat(supplies.os.callCount(Call.MOVE)).isEqualTo(16);
      assertThat(supplies.os.callCount(Call.DISCARD)).isZero();
      assertThat(page.isZero).isFalse();
      giveBackAll(supply, kept);
      supply.giveBack(page, 0);
    }

    @Test
    void whatIsZero_isZeroAfterTheMove() {
      supplies.capacityBytes = 8 * MIB;
      PageSupply supply = supplies.open();
      List<PageMemory> pages = takeAll(supply, PageKind.SMALL, 2 * MIB, 4);
      supply.undo(pages.get(0));
      supply.undo(pages.get(2));
      PageMemory page = take(supply, PageKind.MEDIUM, 4 * MIB, 0);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(4 * MIB);
      assertThat(page.isZero).isTrue();
      assertThat(supply.figures().committedBytes()).isEqualTo(8 * MIB);
    }

    /** A kernel that cannot move: the memory is given back, and comes on first touch. */
    @Test
    void memoryThatCannotMove_isGivenBackInOneCall() {
      supplies.os.failAlways(Call.MOVE, Errno.ENOSYS);
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      PageMemory page = take(supply, PageKind.LARGE, 32 * MIB, 0);
      assertThat(supplies.os.callCount(Call.DISCARD)).isEqualTo(1);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(32 * MIB);
      supply.giveBack(page, 0);
      giveBackAll(supply, kept);
    }

    /** Memory that is in the right place already stays there. */
    @Test
    void addressesThatAreScarce_areUsedWhereTheyLie() {
      supplies.capacityBytes = 8 * MIB;
      supplies.largestReservationBytes = 8 * MIB;
      supplies.budget = Budget.limitedTo("b", 6 * MIB);
      supplies.os.failCalls(2, 100, Errno.ENOMEM);
      PageSupply supply = supplies.open();
      supplies.os.succeed();
      List<PageMemory> pages = takeAll(supply, PageKind.SMALL, 2 * MIB, 3);
      supply.giveBack(pages.get(0), 0);
      supply.giveBack(pages.get(2), 0);
      PageMemory page = take(supply, PageKind.MEDIUM, 4 * MIB, 0);
      assertThat(page.address).isEqualTo(pages.get(2).address);
      assertThat(supply.statistics().flushedBytes.get()).isEqualTo(2 * MIB);
      assertThat(supplies.budget.committedBytes()).isEqualTo(6 * MIB);
      supply.giveBack(page, 0);
    }
  }

  /** Medium pages of any power of two come from the cache without a call to the kernel. */
  @Nested
  class TestZMediumPageSizes {
    @Test
    void largestThatTheCacheHas_isTaken() {
      PageSupply supply = supplies.open();
      assertThat(supply.tryTakeCached(PageKind.MEDIUM, 4 * MIB, 32 * MIB, 0)).isNull();
      PageMemory cached = take(supply, PageKind.LARGE, 22 * MIB, 0);
      PageMemory between = take(supply, PageKind.LARGE, 2 * MIB, 0);
      supply.giveBack(cached, 0);
      long[] sizes = {16 * MIB, 4 * MIB};
      for (long sizeBytes : sizes) {
        PageMemory page =
            requireNonNull(supply.tryTakeCached(PageKind.MEDIUM, 4 * MIB, 32 * MIB, 0));
        assertThat(page.sizeBytes).isEqualTo(sizeBytes);
      }
      assertThat(supply.tryTakeCached(PageKind.MEDIUM, 4 * MIB, 32 * MIB, 0)).isNull();
      assertThat(supply.figures().cachedBytes()).isEqualTo(2 * MIB);
      assertThat(supply.statistics().flushedBytes.get()).isZero();
      supply.giveBack(between, 0);
    }

    @Test
    void capacity_isNotExceeded() {
      supplies.capacityBytes = 24 * MIB;
      PageSupply supply = supplies.open();
      PageMemory used = take(supply, PageKind.LARGE, 8 * MIB, 0);
      supply.giveBack(take(supply, PageKind.LARGE, 16 * MIB, 0), 0);
      PageMemory page = requireNonNull(supply.tryTakeCached(PageKind.MEDIUM, MIB, 32 * MIB, 0));
      assertThat(page.sizeBytes).isEqualTo(16 * MIB);
      assertThat(supply.tryTakeCached(PageKind.MEDIUM, MIB, 32 * MIB, 0)).isNull();
      supply.giveBack(used, 0);
    }
  }

  /** Memory that has been idle for the delay goes back, slowly, and not below the floor. */
  @Nested
  class TestUncommit {
    @ParameterizedTest
    @EnumSource
    void idleMemory_goesBackInChunks_downToTheFloor(CommitMode mode) {
      supplies.mode = mode;
      supplies.capacityBytes = 256 * MIB;
      supplies.uncommitDelay = Duration.ofSeconds(10);
      supplies.floorBytes = 20 * MIB;
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 200 * MIB, 0), 0);
      supply.tick(0);
      supply.tick(10 * SECOND - 1);
      assertThat(supply.figures().committedBytes()).isEqualTo(200 * MIB);
      long before = 200 * MIB;
      for (int second = 10; second <= 20; second++) {
        supply.tick(second * SECOND);
        long now = supply.figures().committedBytes();
        assertThat(before - now).as("in second %d", second).isBetween(2 * MIB, 20 * MIB);
        before = now;
      }
      assertThat(supply.figures().committedBytes()).isEqualTo(20 * MIB);
      assertThat(supply.statistics().uncommittedBytes.get()).isEqualTo(180 * MIB);
      for (int second = 21; second < 60; second++) {
        supply.tick(second * SECOND);
      }
      assertThat(supply.figures().committedBytes()).isEqualTo(20 * MIB);
    }

    @Test
    void memoryThatIsUsedNowAndThen_stays() {
      supplies.uncommitDelay = Duration.ofSeconds(10);
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 60 * MIB, 0), 0);
      for (int second = 0; second < 60; second++) {
        supply.tick(second * SECOND);
        if (second % 9 == 0) {
          supply.giveBack(take(supply, PageKind.LARGE, 60 * MIB, 0), 0);
        }
      }
      assertThat(supply.figures().committedBytes()).isEqualTo(60 * MIB);
    }

    @Test
    void growing_endsTheCycle() {
      supplies.uncommitDelay = Duration.ofSeconds(10);
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 20 * MIB, 0), 0);
      supply.tick(0);
      supply.tick(10 * SECOND);
      long left = supply.figures().cachedBytes();
      assertThat(left).isEqualTo(18 * MIB);
      PageMemory page = take(supply, PageKind.LARGE, 30 * MIB, 0);
      supply.tick(11 * SECOND);
      supply.tick(20 * SECOND);
      assertThat(supply.figures().cachedBytes() + supply.figures().usedBytes())
          .isEqualTo(supply.figures().committedBytes())
          .isGreaterThanOrEqualTo(30 * MIB);
      long cached = supply.figures().cachedBytes();
      supply.tick(21 * SECOND);
      assertThat(supply.figures().cachedBytes()).isLessThanOrEqualTo(cached);
      supply.giveBack(page, 0);
    }

    @Test
    void highestAddresses_goFirst() {
      supplies.uncommitDelay = Duration.ofSeconds(1);
      PageSupply supply = supplies.open();
      List<PageMemory> small = takeAll(supply, PageKind.SMALL, 2 * MIB, 4);
      giveBackAll(supply, small);
      supply.tick(0);
      supply.tick(SECOND);
      PageMemory lowest = take(supply, PageKind.SMALL, 2 * MIB, 0);
      assertThat(lowest.address).isEqualTo(small.get(0).address);
      assertThat(supply.statistics().misses.get()).isEqualTo(4);
      assertThat(supply.figures().committedBytes()).isEqualTo(6 * MIB);
    }

    @Test
    void withoutADelay_whatExceedsTheFloorGoesBackAtOnce() {
      supplies.uncommitDelay = Duration.ZERO;
      supplies.floorBytes = 5 * MIB;
      PageSupply supply = supplies.open();
      List<PageMemory> pages = takeAll(supply, PageKind.SMALL, 2 * MIB, 10);
      giveBackAll(supply, pages);
      assertThat(supply.figures().committedBytes()).isEqualTo(6 * MIB);
      supply.undo(take(supply, PageKind.LARGE, 20 * MIB, 0));
      assertThat(supply.figures().committedBytes()).isEqualTo(6 * MIB);
    }
  }

  /** A delay without end: nothing goes back by itself. */
  @Nested
  class TestNoUncommit {
    @Test
    void nothingGoesBack() {
      supplies.uncommitDelay = Duration.ofSeconds(Long.MAX_VALUE);
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 60 * MIB, 0), 0);
      for (long day = 0; day < 30_000; day += 1000) {
        supply.tick(day * 86_400 * SECOND);
      }
      assertThat(supply.figures().committedBytes()).isEqualTo(60 * MIB);
      assertThat(supply.trim()).isEqualTo(60 * MIB);
    }
  }

  /** The kernel refuses to commit, in the middle of things. */
  @Nested
  class TestCommitFailure {
    /** ZGC lost the harvested part here (openjdk/jdk#26954). */
    @ParameterizedTest
    @EnumSource
    void failedCommitAfterHarvest_losesNothing(CommitMode mode) {
      supplies.mode = mode;
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      for (int refused = 1; refused <= 40; refused++) {
        supplies.os.failCalls(refused, 2, Errno.ENOMEM);
        PageMemory page = supply.tryTake(PageKind.LARGE, 32 * MIB, 0);
        int failureCount = supplies.os.failureCount();
        supplies.os.succeed();
        supply.verify();
        SupplyFigures figures = supply.figures();
        long usedBytes = 32 * MIB + (page == null ? 0 : 32 * MIB);
        assertThat(figures.usedBytes()).isEqualTo(usedBytes);
        assertThat(figures.usedBytes() + figures.cachedBytes())
            .as("call %d refused", refused)
            .isEqualTo(figures.committedBytes())
            .isEqualTo(supplies.budget.committedBytes())
            .isEqualTo(64 * MIB);
        if (page != null) {
          supply.giveBack(page, 0);
          assertThat(supply.trim()).isEqualTo(32 * MIB);
          giveBackAll(supply, kept);
          assertThat(supply.trim()).isEqualTo(32 * MIB);
          kept = scatter(supply);
        } else {
          assertThat(failureCount).isPositive();
          assertThat(figures.lastErrno()).isEqualTo(-Errno.ENOMEM);
        }
      }
      giveBackAll(supply, kept);
      giveBackAll(supply, takeAll(supply, PageKind.LARGE, 64 * MIB, 1));
    }

    @Test
    void refusalToCommit_isNotRemembered() {
      supplies.mode = CommitMode.PROTECT;
      PageSupply supply = supplies.open();
      supplies.os.failAlways(Call.ALLOW, Errno.ENOMEM);
      assertThat(supply.tryTake(PageKind.LARGE, 64 * MIB, 0)).isNull();
      assertThat(supply.figures().committedBytes()).isZero();
      supplies.os.succeed();
      giveBackAll(supply, takeAll(supply, PageKind.LARGE, 64 * MIB, 1));
    }

    /** The target of a move has another owner now: it is never touched again, nor given back. */
    @Test
    void excludedAddresses_areLeftAlone() {
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      supplies.os.failCalls(3, 1, Errno.ENOTRECOVERABLE);
      PageMemory page = take(supply, PageKind.LARGE, 32 * MIB, 0);
      assertThat(supplies.os.failureCount()).isEqualTo(1);
      assertThat(supply.figures().committedBytes()).isEqualTo(64 * MIB);
      var _ = NativeMemory.segment(page.address, page.sizeBytes).fill((byte) 1);
      supply.verify();
      supply.giveBack(page, 0);
      giveBackAll(supply, kept);
      giveBackAll(supply, takeAll(supply, PageKind.LARGE, 64 * MIB, 1));
    }
  }

  /** A kernel that unmaps the target of a move before it finds that it must refuse. */
  @Nested
  class MovesRefusedAfterTheUnmap {
    @Test
    void holeThatAnotherThreadHasTaken_isNeverWritten_andNothingMovesAnyMore() {
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      supplies.os.failMovesAfterUnmap(Errno.ENOMEM, true);
      PageMemory page = take(supply, PageKind.LARGE, 32 * MIB, 0);
      var _ = NativeMemory.segment(page.address, page.sizeBytes).fill((byte) 1);
      supply.verify();
      supply.giveBack(page, 0);
      giveBackAll(supply, kept);
      List<PageMemory> all = takeAll(supply, PageKind.LARGE, 64 * MIB, 1);
      for (PageMemory memory : all) {
        var _ = NativeMemory.segment(memory.address, memory.sizeBytes).fill((byte) 2);
      }
      giveBackAll(supply, all);
      assertThat(supplies.os.assertForeignIntact()).as("each costs addresses").isEqualTo(1);
      supplies.os.succeed();
    }

    @Test
    void hole_isMappedAgain() {
      PageSupply supply = supplies.open();
      List<PageMemory> kept = scatter(supply);
      supplies.os.failMovesAfterUnmap(Errno.ENOMEM, false);
      PageMemory page = take(supply, PageKind.LARGE, 32 * MIB, 0);
      assertThat(supplies.os.failureCount()).isPositive();
      var _ = NativeMemory.segment(page.address, page.sizeBytes).fill((byte) 1);
      supply.verify();
      supply.giveBack(page, 0);
      giveBackAll(supply, kept);
      supplies.os.succeed();
    }
  }

  /**
   * On the running kernel: vm.max_map_count read wrong would have the allocator grow, or give
   * memory back and fault it in again.
   */
  @Test
  void largePage_getsAllOfItsGranulesFromTheCache_onTheRunningKernel() {
    OperatingSystem kernel = OperatingSystem.current();
    supplies.capacityBytes = 128 * MIB;
    PageSupply supply =
        new PageSupply(supplies.settings(kernel), StatisticsRecorder.open("PageAllocator", "real"));
    try {
      List<PageMemory> pages = takeAll(supply, PageKind.SMALL, 2 * MIB, 36);
      for (int i = 0; i < 36; i++) {
        NativeMemory.segment(pages.get(i).address, 8).set(ValueLayout.JAVA_LONG, 0, i + 1L);
      }
      for (int i = 0; i < 36; i += 2) {
        supply.giveBack(pages.get(i), 0);
      }
      PageMemory page = take(supply, PageKind.LARGE, 36 * MIB, 0);
      long sum = 0;
      for (int i = 0; i < 18; i++) {
        long address = page.address + i * PageSupply.GRANULE_BYTES;
        sum += NativeMemory.segment(address, 8).get(ValueLayout.JAVA_LONG, 0);
      }
      assertThat(sum).as("contents have moved along, from all 18").isEqualTo(18 * 18);
      assertThat(supply.figures().committedBytes()).as("none was committed").isEqualTo(72 * MIB);
      supply.verify();
    } finally {
      supply.close();
    }
  }

  /** Address space in pieces: pages do not span them, and memory moves between them. */
  @Nested
  class ForceDiscontiguousReservations {
    @ParameterizedTest
    @EnumSource
    void pagesStayInsidePieces_andAllOfTheCapacityCanBeUsed(CommitMode mode) {
      supplies.mode = mode;
      supplies.largestReservationBytes = 8 * MIB;
      PageSupply supply = supplies.open();
      assertThat(supply.figures().reservedBytes()).isEqualTo(256 * MIB);
      assertThat(supply.figures().largestPlaceBytes()).isEqualTo(8 * MIB);
      assertThat(supply.tryTake(PageKind.LARGE, 10 * MIB, 0)).isNull();
      List<PageMemory> pages = takeAll(supply, PageKind.LARGE, 6 * MIB, 10);
      for (PageMemory page : pages) {
        var _ = NativeMemory.segment(page.address, page.sizeBytes).fill((byte) 1);
      }
      supply.verify();
      giveBackAll(supply, pages);
      giveBackAll(supply, takeAll(supply, PageKind.MEDIUM, 8 * MIB, 8));
      assertThat(supply.statistics().flushedBytes.get()).isPositive();
      giveBackAll(supply, takeAll(supply, PageKind.SMALL, 2 * MIB, 32));
    }

    @Test
    void piecesThatTheKernelRefuses_areHalved() {
      supplies.os.failCalls(1, 1, Errno.ENOMEM);
      PageSupply supply = supplies.open();
      assertThat(supply.figures().reservedBytes()).isEqualTo(256 * MIB);
      assertThat(supply.figures().largestPlaceBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void capacityIsEnough_whereTheKernelGivesNoMore() {
      supplies.os.failCalls(2, 100, Errno.ENOMEM);
      supplies.largestReservationBytes = 64 * MIB;
      PageSupply supply = supplies.open();
      assertThat(supply.figures().reservedBytes()).isEqualTo(64 * MIB);
      giveBackAll(supply, takeAll(supply, PageKind.LARGE, 64 * MIB, 1));
      List<PageMemory> kept = scatter(supply);
      assertThat(supply.figures().largestPlaceBytes()).isEqualTo(2 * MIB);
      assertThat(supply.tryTake(PageKind.LARGE, 4 * MIB, 0)).isNull();
      giveBackAll(supply, kept);
    }
  }

  /** Small pages leave high addresses when they come back, and take no contents of others along. */
  @Nested
  class Defragment {
    @Test
    void smallPageAtTheEnd_movesToTheBeginning() {
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 6 * MIB, 0), 0);
      List<PageMemory> high = takeAll(supply, PageKind.SMALL, 2 * MIB, 3);
      PageMemory middle = high.get(1);
      supply.giveBack(middle, 0);
      assertThat(supply.statistics().defragments.get()).isEqualTo(1);
      PageMemory again = take(supply, PageKind.SMALL, 2 * MIB, 0);
      assertThat(again.address).isLessThan(middle.address - 100 * MIB);
      assertThat(again.isZero).isFalse();
      assertThat(supply.figures().committedBytes()).isEqualTo(6 * MIB);
      supply.giveBack(again, 0);
      assertThat(supply.statistics().defragments.get()).isEqualTo(1);
    }

    @Test
    void smallPageNextToCachedMemory_joinsIt() {
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 6 * MIB, 0), 0);
      PageMemory page = take(supply, PageKind.SMALL, 2 * MIB, 0);
      supply.giveBack(page, 0);
      assertThat(supply.statistics().defragments.get()).isZero();
      var _ = take(supply, PageKind.LARGE, 6 * MIB, 0);
      assertThat(supply.statistics().misses.get()).isEqualTo(1);
    }

    @Test
    void refusedMove_leavesThePageWhereItIs() {
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 6 * MIB, 0), 0);
      List<PageMemory> high = takeAll(supply, PageKind.SMALL, 2 * MIB, 3);
      supplies.os.failAlways(Call.MOVE, Errno.ENOMEM);
      supply.giveBack(high.get(1), 0);
      supplies.os.succeed();
      PageMemory again = take(supply, PageKind.SMALL, 2 * MIB, 0);
      assertThat(again.address).isEqualTo(high.get(1).address);
      supply.verify();
      assertThat(supply.statistics().defragments.get()).isZero();
      supply.giveBack(again, 0);
      assertThat(supply.statistics().defragments.get()).isEqualTo(1);
    }

    @Test
    void moveThatCostsAddresses_isTheLast() {
      PageSupply supply = supplies.open();
      supply.giveBack(take(supply, PageKind.LARGE, 6 * MIB, 0), 0);
      List<PageMemory> high = takeAll(supply, PageKind.SMALL, 2 * MIB, 3);
      supplies.os.failAlways(Call.MOVE, Errno.ENOTRECOVERABLE);
      supply.giveBack(high.get(1), 0);
      supplies.os.succeed();
      PageMemory again = take(supply, PageKind.SMALL, 2 * MIB, 0);
      assertThat(again.address).isEqualTo(high.get(1).address);
      supply.giveBack(again, 0);
      supply.verify();
      assertThat(supply.statistics().defragments.get()).isZero();
    }
  }

  @Test
  void hits_areToldApart() {
    PageSupply supply = supplies.open();
    SupplyStatistics statistics = supply.statistics();
    PageMemory first = take(supply, PageKind.MEDIUM, 8 * MIB, 1);
    PageMemory second = take(supply, PageKind.MEDIUM, 8 * MIB, 1);
    assertThat(statistics.misses.get()).isEqualTo(2);
    supply.giveBack(first, 1);
    first = take(supply, PageKind.MEDIUM, 8 * MIB, 1);
    assertThat(statistics.hitsL1.get()).isEqualTo(1);
    supply.giveBack(first, 2);
    first = take(supply, PageKind.MEDIUM, 8 * MIB, 1);
    assertThat(statistics.hitsL2.get()).isEqualTo(1);
    supply.giveBack(first, 1);
    var _ = take(supply, PageKind.MEDIUM, 4 * MIB, 1);
    assertThat(statistics.hitsL3.get()).isEqualTo(1);
    supply.giveBack(second, 1);
    var _ = take(supply, PageKind.LARGE, 10 * MIB, 1);
    assertThat(statistics.hitsL3.get()).isEqualTo(2);
    assertThat(statistics.misses.get()).isEqualTo(2);
    assertThat(statistics.takenBytes.get()).isEqualTo(46 * MIB);
  }

  /** Every second granule of 64 MiB used, the others cached. */
  private static List<PageMemory> scatter(PageSupply supply) {
    List<PageMemory> kept = new ArrayList<>();
    List<PageMemory> pages = takeAll(supply, PageKind.SMALL, 2 * MIB, 32);
    for (int i = 0; i < pages.size(); i++) {
      PageMemory page = pages.get(i);
      NativeMemory.segment(page.address, 8).set(ValueLayout.JAVA_LONG, 0, i);
      if (i % 2 == 0) {
        supply.giveBack(page, 0);
      } else {
        kept.add(page);
      }
    }
    return kept;
  }

  private static List<PageMemory> takeAll(
      PageSupply supply, PageKind kind, long sizeBytes, int count) {
    List<PageMemory> pages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pages.add(take(supply, kind, sizeBytes, 0));
    }
    return pages;
  }

  private static void giveBackAll(PageSupply supply, List<PageMemory> pages) {
    pages.forEach(page -> supply.giveBack(page, 0));
    supply.verify();
  }

  private static PageMemory take(PageSupply supply, PageKind kind, long sizeBytes, int owner) {
    return requireNonNull(supply.tryTake(kind, sizeBytes, owner));
  }
}
