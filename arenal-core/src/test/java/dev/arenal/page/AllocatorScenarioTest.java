package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.page.granule.SupplyStatistics;
import dev.arenal.page.span.HeapPage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The scenarios of OpenJDK's tests of ZGC with a Java heap, with buffers instead; each group has
 * the name of the test there. {@link ZgcScenarioTest} does the same to the supply of pages alone.
 *
 * <p>Here objects do not move: buffers that die are chosen so that pages run empty, or do not.
 */
final class AllocatorScenarioTest {
  private static final int KIB = 1 << 10;
  private static final int MEGABYTE = 1_000_000;

  @RegisterExtension private final Allocators allocators = new Allocators();

  /** A heap full of objects of 10 KB, then one full of objects of 10 MB. */
  @Nested
  class TestPageCacheFlush {
    @ParameterizedTest
    @EnumSource
    void largeObjects_areMadeOfThePagesOfSmallOnes(CommitMode mode) {
      allocators.mode = mode;
      allocators.capacityBytes = 128 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> small = fill(pages, 10_000);
      assertThat(small).hasSizeBetween(12_000, 13_421);
      assertThat(pages.committedBytes()).isBetween(127 * MIB, 128 * MIB);
      // One page in three is kept, with one object in each: the others lie scattered.
      List<PageBuffer> kept = closeAllButOneOfEveryThirdPage(small);
      assertThat(kept).hasSize(22);
      List<PageBuffer> large = fill(pages, 10 * MEGABYTE);
      assertThat(large).hasSize((64 - 22) / 5);
      assertThat(statistics(kept).flushedBytes.get()).isBetween(60 * MIB, 84 * MIB);
      assertThat(pages.committedBytes()).isBetween(127 * MIB, 128 * MIB);
      checkAndClose(pages, large);
      checkAndClose(pages, kept);
    }

    @Test
    void pagesThatLieInARow_needNoFlush() {
      allocators.capacityBytes = 128 * MIB;
      PageAllocator pages = allocators.open();
      checkAndClose(pages, fill(pages, 10_000));
      List<PageBuffer> large = fill(pages, 10 * MEGABYTE);
      assertThat(large).hasSize(12);
      assertThat(statistics(large).flushedBytes.get()).isZero();
      checkAndClose(pages, large);
    }
  }

  /** Ever larger objects that die at once, and between them small ones that stay. */
  @Nested
  class TestMappedCacheHarvest {
    @ParameterizedTest
    @EnumSource
    void growingObjects_areHarvested_andAddressesSuffice(CommitMode mode) {
      allocators.mode = mode;
      allocators.capacityBytes = 100 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> kept = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        PageBuffer left = buffer(pages, (17 + i) * MIB, PageAge.SHORT_LIVED);
        kept.add(buffer(pages, 3 * MIB, PageAge.LONG_LIVED));
        PageBuffer right = buffer(pages, (16 + i) * MIB, PageAge.SHORT_LIVED);
        checkAndClose(pages, List.of(left, right));
        checkAndClose(pages, List.of(buffer(pages, (33 + 2 * i) * MIB, PageAge.SHORT_LIVED)));
      }
      SupplyStatistics statistics = statistics(kept);
      assertThat(statistics.harvests.get()).isBetween(3L, 20L);
      assertThat(statistics.flushedBytes.get()).isGreaterThan(8 * MIB);
      assertThat(pages.committedBytes()).isLessThanOrEqualTo(100 * MIB);
      checkAndClose(pages, kept);
    }

    /** Memory moves as it is: no contents are lost, and nothing is given back on the way. */
    @Test
    void harvest_movesMemory_andGivesNothingBack() {
      allocators.capacityBytes = 64 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> kept = closeAllButOneOfEveryThirdPage(fill(pages, 10_000));
      int countBefore = allocators.os.callCount(Call.DISCARD);
      PageBuffer large = buffer(pages, 30 * MIB, PageAge.SHORT_LIVED);
      assertThat(allocators.os.callCount(Call.MOVE)).isBetween(10, 15);
      assertThat(allocators.os.callCount(Call.DISCARD)).isEqualTo(countBefore);
      checkAndClose(pages, List.of(large));
      checkAndClose(pages, kept);
    }
  }

  /** Medium pages of several sizes. */
  @Nested
  class TestZMediumPageSizes {
    @ParameterizedTest
    @CsvSource({
      "8, 0",
      "64, 0",
      "127, 0",
      "128, 4",
      "200, 4",
      "255, 4",
      "256, 8",
      "511, 8",
      "512, 16",
      "1000, 16",
      "1023, 16",
      "1024, 32",
      "2048, 32",
      "65536, 32",
      "8388608, 32"
    })
    void pageSize_isAboutThreePercentOfTheCapacity(long capacityMib, long expectedMib) {
      assertThat(MediumHeap.pageBytes(capacityMib * MIB)).isEqualTo(expectedMib * MIB);
    }

    @Test
    void pageSize_isAPowerOfTwoThatGrowsWithTheCapacity() {
      long previous = 0;
      for (long capacityBytes = 8 * MIB; capacityBytes < 2048 * MIB; capacityBytes += MIB) {
        long pageBytes = MediumHeap.pageBytes(capacityBytes);
        assertThat(pageBytes).isGreaterThanOrEqualTo(previous).isLessThanOrEqualTo(32 * MIB);
        assertThat(pageBytes).isLessThanOrEqualTo(capacityBytes / 32);
        assertThat(pageBytes & (pageBytes - 1)).isZero();
        assertThat(pageBytes == 0 || pageBytes >= 4 * MIB).isTrue();
        assertThat(
                pageBytes == 32 * MIB
                    || pageBytes * 64 > capacityBytes
                    || capacityBytes < 128 * MIB)
            .isTrue();
        previous = pageBytes;
      }
    }

    @ParameterizedTest
    @CsvSource({"128, 512", "256, 1024", "512, 2048", "1024, 4096", "4096, 4096"})
    void objectsUpToAnEighth_areInMediumPages(long capacityMib, long largestKib) {
      allocators.capacityBytes = capacityMib * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> buffers = new ArrayList<>();
      buffers.add(buffer(pages, 256 * KIB, PageAge.SHORT_LIVED));
      assertThat(pages.report()).satisfies(report -> requireCounts(report, 1, 0, 0));
      buffers.add(buffer(pages, 256 * KIB + 1, PageAge.SHORT_LIVED));
      assertThat(pages.report()).satisfies(report -> requireCounts(report, 1, 1, 0));
      buffers.add(buffer(pages, largestKib * KIB, PageAge.SHORT_LIVED));
      assertThat(pages.report().largePageCount()).isZero();
      int mediumCount = pages.report().mediumPageCount();
      buffers.add(buffer(pages, largestKib * KIB + 1, PageAge.SHORT_LIVED));
      assertThat(pages.report()).satisfies(report -> requireCounts(report, 1, mediumCount, 1));
      checkAndClose(pages, buffers);
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 64, 126})
    void withoutMediumPages_whatIsNotSmallIsLarge(long capacityMib) {
      allocators.capacityBytes = capacityMib * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> buffers = new ArrayList<>();
      buffers.add(buffer(pages, 256 * KIB + 1, PageAge.SHORT_LIVED));
      assertThat(pages.report()).satisfies(report -> requireCounts(report, 0, 0, 1));
      checkAndClose(pages, buffers);
    }

    /** The heap is full of small pages, and a medium one comes from three of them in a row. */
    @Test
    void gapsInTheCache_areMediumPages_withoutHarvest() {
      allocators.capacityBytes = 1024 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> small = fill(pages, 102 * KIB);
      assertThat(small).hasSizeGreaterThanOrEqualTo(512 * 20);
      List<PageBuffer> kept = closeStretches(small, 32, 60);
      PageBuffer medium = buffer(pages, 3 * MIB, PageAge.SHORT_LIVED);
      assertThat(pages.report().mediumPageCount()).isEqualTo(1);
      assertThat(medium.span().page().memory.sizeBytes).isEqualTo(4 * MIB);
      assertThat(statistics(kept).harvests.get()).isZero();
      assertThat(allocators.os.callCount(Call.MOVE)).isZero();
      checkAndClose(pages, List.of(medium));
      checkAndClose(pages, kept);
    }

    /** The largest that the cache has, which saves a call into the kernel. */
    @ParameterizedTest
    @CsvSource({"22, 16", "14, 8", "70, 32", "6, 4"})
    void pageIsAsLargeAsTheCacheAllows(long cachedMib, long expectedMib) {
      allocators.mode = CommitMode.PROTECT;
      allocators.capacityBytes = 1024 * MIB;
      PageAllocator pages = allocators.open();
      PageBuffer cached = buffer(pages, cachedMib * MIB, PageAge.LONG_LIVED);
      cached.close();
      int callCount = allocators.os.callCount(Call.ALLOW);
      PageBuffer medium = buffer(pages, MIB, PageAge.SHORT_LIVED);
      assertThat(medium.span().page().memory.sizeBytes).isEqualTo(expectedMib * MIB);
      assertThat(allocators.os.callCount(Call.ALLOW)).isEqualTo(callCount);
      checkAndClose(pages, List.of(medium));
    }

    /** Where the gaps are of one page each, it has to be put together. */
    @Test
    void gapsThatAreTooSmall_areHarvested() {
      allocators.capacityBytes = 1024 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> small = fill(pages, 102 * KIB);
      List<PageBuffer> kept = closeStretches(small, 32, 20);
      PageBuffer medium = buffer(pages, 3 * MIB, PageAge.SHORT_LIVED);
      assertThat(medium.span().page().memory.sizeBytes).isEqualTo(4 * MIB);
      assertThat(statistics(kept).harvests.get()).isEqualTo(1);
      checkAndClose(pages, List.of(medium));
      checkAndClose(pages, kept);
    }
  }

  /** Memory that is free for the delay goes back: not too early, not too fast, not too much. */
  @Nested
  class TestUncommit {
    @ParameterizedTest
    @EnumSource
    void idleMemory_goesBackSlowly_downToTheFloor(CommitMode mode) {
      allocators.mode = mode;
      allocators.uncommitDelay = Duration.ofSeconds(10);
      allocators.floorBytes = 20 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        buffers.add(buffer(pages, MIB, PageAge.SHORT_LIVED));
      }
      assertThat(pages.committedBytes()).isBetween(200 * MIB, 208 * MIB);
      checkAndClose(pages, buffers);
      allocators.pass(pages, Duration.ofSeconds(9));
      assertThat(pages.committedBytes()).isGreaterThanOrEqualTo(200 * MIB);
      long before = pages.committedBytes();
      for (int second = 0; second < 40; second++) {
        allocators.pass(pages, Duration.ofSeconds(1));
        long now = pages.committedBytes();
        assertThat(before - now).as("in second %d", second).isBetween(0L, 30 * MIB);
        before = now;
      }
      assertThat(pages.committedBytes()).isEqualTo(20 * MIB);
      allocators.pass(pages, Duration.ofSeconds(60));
      assertThat(pages.committedBytes()).isEqualTo(20 * MIB);
    }

    @Test
    void freeMemoryBetweenSurvivors_goesBackToo() {
      allocators.uncommitDelay = Duration.ofSeconds(10);
      PageAllocator pages = allocators.open();
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        buffers.add(buffer(pages, 100 * KIB, PageAge.SHORT_LIVED));
      }
      List<PageBuffer> kept = new ArrayList<>();
      List<PageBuffer> others = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        (i % 10 == 0 ? kept : others).add(buffers.get(i));
      }
      checkAndClose(pages, others);
      allocators.pass(pages, Duration.ofSeconds(9));
      assertThat(pages.committedBytes()).isGreaterThan(97 * MIB);
      allocators.pass(pages, Duration.ofSeconds(12));
      assertThat(pages.usedBytes()).isEqualTo(100 * 100 * KIB);
      assertThat(pages.committedBytes()).isBetween(100 * 100L * KIB, 100 * 108L * KIB);
      PageBuffer again = buffer(pages, 100 * KIB, PageAge.SHORT_LIVED); // it comes back zero
      kept.add(again);
      checkAndClose(pages, kept);
    }

    @Test
    void memoryThatIsUsedNowAndThen_stays() {
      allocators.uncommitDelay = Duration.ofSeconds(10);
      PageAllocator pages = allocators.open();
      for (int round = 0; round < 8; round++) {
        List<PageBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          buffers.add(buffer(pages, 9 * MIB, PageAge.SHORT_LIVED));
        }
        checkAndClose(pages, buffers);
        allocators.pass(pages, Duration.ofSeconds(8));
        assertThat(pages.committedBytes()).isEqualTo(100 * MIB);
      }
      assertThat(allocators.os.callCount(Call.DISCARD)).isZero();
    }

    /**
     * A program that grows will want what is cached as well, though it has not touched that yet.
     */
    @Test
    void growing_endsTheCycle() {
      allocators.os.setMostMappings(0); // nothing moves, so what is cached stays where it is
      allocators.uncommitDelay = Duration.ofSeconds(10);
      PageAllocator pages = allocators.open();
      List<PageBuffer> small = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        small.add(buffer(pages, 200 * KIB, PageAge.SHORT_LIVED));
      }
      checkAndClose(pages, small);
      allocators.pass(pages, Duration.ofSeconds(14));
      long left = pages.committedBytes();
      assertThat(left).isBetween(40 * MIB, 96 * MIB);
      PageBuffer large = buffer(pages, 98 * MIB, PageAge.SHORT_LIVED);
      assertThat(pages.committedBytes()).isEqualTo(left + 98 * MIB);
      allocators.pass(pages, Duration.ofSeconds(9));
      assertThat(pages.committedBytes()).isEqualTo(left + 98 * MIB);
      allocators.pass(pages, Duration.ofSeconds(40));
      assertThat(pages.committedBytes()).isLessThan(103 * MIB);
      checkAndClose(pages, List.of(large));
    }

    /** TestNoUncommit. */
    @Test
    void endlessDelay_keepsAll() {
      allocators.uncommitDelay = Duration.ofNanos(Long.MAX_VALUE);
      PageAllocator pages = allocators.open();
      List<PageBuffer> kept = closeAllButOneOfEveryThirdPage(fill(pages, 100 * KIB));
      long committedBytes = pages.committedBytes();
      assertThat(committedBytes).isBetween(255 * MIB, 256 * MIB);
      allocators.pass(pages, Duration.ofHours(1));
      assertThat(pages.committedBytes()).isEqualTo(committedBytes);
      checkAndClose(pages, kept);
    }
  }

  /** The kernel or the budget refuse memory: an error with the figures, and nothing is lost. */
  @Nested
  class TestCommitFailure {
    @Test
    void refusedCommit_isAnOutOfMemoryError_andIsNotRemembered() {
      allocators.mode = CommitMode.PROTECT;
      PageAllocator pages = allocators.open();
      List<PageBuffer> buffers = new ArrayList<>();
      buffers.add(buffer(pages, 5 * MIB, PageAge.SHORT_LIVED));
      allocators.os.failAlways(Call.ALLOW, Errno.ENOMEM);
      for (long sizeBytes : new long[] {100, 100 * KIB, MIB, 10 * MIB}) {
        assertThatThrownBy(() -> pages.allocate(sizeBytes, PageAge.LONG_LIVED))
            .isExactlyInstanceOf(OutOfNativeMemoryError.class)
            .hasMessage(
                "no room: allocator=test, requestedBytes="
                    + sizeBytes
                    + ", age=LONG_LIVED, usedBytes=5242880, pageBytes=6291456,"
                    + " capacityBytes=268435456, committedBytes=6291456, budget=Budget[name=test,"
                    + " limitBytes=none, committedBytes=6291456], maxWaitMillis=0, lastErrno=ENOMEM"
                    + " (12) (close buffers, raise the limit of the budget, or build with a larger"
                    + " capacity)");
        pages.state().verify();
      }
      allocators.os.succeed();
      for (long sizeBytes : new long[] {100, 100 * KIB, MIB, 10 * MIB}) {
        buffers.add(buffer(pages, sizeBytes, PageAge.LONG_LIVED));
      }
      checkAndClose(pages, buffers);
    }

    /** ZFailLargerCommits: pages of 2 MiB are to be had, larger ones are not. */
    @Test
    void largerCommitsFail_andSmallPagesAreStillThere() {
      GatedOperatingSystem kernel = new GatedOperatingSystem(allocators.os);
      kernel.refuseBeyond(2 * MIB);
      allocators.mode = CommitMode.PROTECT;
      try (PageAllocator pages =
          PageAllocator.builder("pages")
              .capacityBytes(256 * MIB)
              .commitMode(CommitMode.PROTECT)
              .operatingSystem(kernel)
              .build()) {
        assertThat(pages.tryAllocate(3 * MIB, PageAge.SHORT_LIVED)).isNull();
        List<PageBuffer> buffers = fill(pages, 200 * KIB);
        assertThat(pages.committedBytes()).isBetween(255 * MIB, 256 * MIB);
        checkAndClose(pages, buffers);
        // Memory that is committed already is all that larger pages need.
        List<PageBuffer> large = fill(pages, 20 * MIB);
        assertThat(large.size()).isBetween(11, 12);
        checkAndClose(pages, large);
      }
    }

    /** ZGC lost the harvested part here (openjdk/jdk#26954). */
    @ParameterizedTest
    @EnumSource
    void failedCommitAfterHarvest_losesNothing(CommitMode mode) {
      allocators.mode = mode;
      allocators.capacityBytes = 64 * MIB;
      allocators.uncommitDelay = Duration.ofHours(1);
      PageAllocator pages = allocators.open();
      int refusedCount = 0;
      for (int call = 1; call <= 24; call++) {
        List<PageBuffer> kept = closeAllButOneOfEveryThirdPage(fill(pages, 100 * KIB));
        long committedBytes = pages.committedBytes();
        assertThat(committedBytes).isGreaterThan(63 * MIB);
        allocators.os.failCalls(call, 2, Errno.ENOMEM);
        PageBuffer large = pages.tryAllocate(30 * MIB, PageAge.SHORT_LIVED);
        refusedCount += large == null ? 1 : 0;
        allocators.os.succeed();
        pages.state().verify();
        assertThat(pages.report().committedBytes())
            .as("call %d refused", call)
            .isEqualTo(pages.committedBytes())
            .isBetween(committedBytes, 64 * MIB);
        PageBuffer again = large != null ? large : buffer(pages, 30 * MIB, PageAge.SHORT_LIVED);
        checkAndClose(pages, kept);
        again.close();
      }
      if (mode == CommitMode.PROTECT) { // otherwise there is another way
        assertThat(refusedCount).isPositive();
      }
    }

    @Test
    void budgetThatEnds_isAnError_untilSomethingIsFreed() {
      allocators.budget = Budget.limitedTo("shared", 32 * MIB);
      PageAllocator pages = allocators.open();
      List<PageBuffer> buffers = fill(pages, MIB);
      assertThat(buffers).hasSize(32);
      assertThatThrownBy(() -> pages.allocate(MIB, PageAge.SHORT_LIVED))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class)
          .hasMessage(
              "no room: allocator=test, requestedBytes=1048576, age=SHORT_LIVED,"
                  + " usedBytes=33554432, pageBytes=33554432, capacityBytes=268435456,"
                  + " committedBytes=33554432, budget=Budget[name=shared, limitBytes=33554432,"
                  + " committedBytes=33554432], maxWaitMillis=0 (close buffers, raise the limit of"
                  + " the budget, or build with a larger capacity)");
      buffers.removeLast().close();
      buffers.add(buffer(pages, MIB, PageAge.SHORT_LIVED));
      checkAndClose(pages, buffers);
    }
  }

  /** TestZForceDiscontiguousHeapReservations: address space in many pieces. */
  @Nested
  class ForceDiscontiguousReservations {
    @ParameterizedTest
    @EnumSource
    void buffersOfEverySize_fillTheCapacity(CommitMode mode) {
      allocators.mode = mode;
      allocators.capacityBytes = 128 * MIB;
      allocators.largestReservationBytes = 8 * MIB;
      PageAllocator pages = allocators.open();
      assertThat(pages.report().reservedBytes()).isEqualTo(512 * MIB);
      for (long sizeBytes : new long[] {10_000, 100 * KIB, 400 * KIB, 6 * MIB, 5000}) {
        List<PageBuffer> buffers = fill(pages, sizeBytes);
        assertThat(pages.usedBytes()).as("size %d", sizeBytes).isGreaterThan(105 * MIB);
        assertThat(pages.committedBytes()).isLessThanOrEqualTo(128 * MIB);
        checkAndClose(pages, buffers);
      }
    }

    @Test
    void noPage_spansPieces() {
      allocators.largestReservationBytes = 8 * MIB;
      PageAllocator pages = allocators.open();
      assertThat(pages.tryAllocate(8 * MIB + 1, PageAge.SHORT_LIVED)).isNull();
      assertThatThrownBy(() -> pages.allocate(10 * MIB, PageAge.SHORT_LIVED))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class)
          .hasMessageStartingWith("no room: allocator=test, requestedBytes=10485760,");
      checkAndClose(pages, fill(pages, 8 * MIB));
    }

    @Test
    void memoryIsHarvested_acrossPieces() {
      allocators.capacityBytes = 64 * MIB;
      allocators.largestReservationBytes = 8 * MIB;
      PageAllocator pages = allocators.open();
      List<PageBuffer> kept = closeAllButOneOfEveryThirdPage(fill(pages, 10_000));
      List<PageBuffer> large = fill(pages, 8 * MIB);
      assertThat(large).hasSize(5);
      assertThat(statistics(large).flushedBytes.get()).isGreaterThan(20 * MIB);
      checkAndClose(pages, large);
      checkAndClose(pages, kept);
    }
  }

  // ---- helpers ----

  private static void requireCounts(PageReport report, int small, int medium, int large) {
    assertThat(List.of(report.smallPageCount(), report.mediumPageCount()))
        .containsExactly(small, medium);
    assertThat(report.largePageCount()).isEqualTo(large);
  }

  private static SupplyStatistics statistics(List<PageBuffer> buffers) {
    return buffers.getFirst().context.supply().statistics();
  }

  /** A buffer that was zero, and has its mark at both ends. */
  private static PageBuffer buffer(PageAllocator pages, long sizeBytes, PageAge age) {
    return mark(requireNonNull(pages.tryAllocate(sizeBytes, age), "no room"));
  }

  private static List<PageBuffer> fill(PageAllocator pages, long sizeBytes) {
    List<PageBuffer> buffers = new ArrayList<>();
    PageBuffer buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    while (buffer != null) {
      buffers.add(mark(buffer));
      buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    }
    pages.state().verify();
    return buffers;
  }

  private static PageBuffer mark(PageBuffer buffer) {
    MemorySegment segment = buffer.segment();
    for (long at : ends(segment)) {
      if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != 0) { // assertThat takes its time
        throw new AssertionError("not zero at offset " + at + " of " + buffer);
      }
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, segment.address() + at);
    }
    return buffer;
  }

  private static void check(PageBuffer buffer) {
    MemorySegment segment = buffer.segment();
    for (long at : ends(segment)) {
      if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != segment.address() + at) {
        throw new AssertionError("overwritten at offset " + at + " of " + buffer);
      }
    }
  }

  private static long[] ends(MemorySegment segment) {
    return new long[] {0, segment.byteSize() - Long.BYTES};
  }

  private static void checkAndClose(PageAllocator pages, List<PageBuffer> buffers) {
    buffers.forEach(AllocatorScenarioTest::check);
    buffers.forEach(PageBuffer::close);
    pages.state().verify();
  }

  /** Closes all but the first buffer of every third page; pages follow one another. */
  @SuppressWarnings("ReferenceEquality") // of pages
  private static List<PageBuffer> closeAllButOneOfEveryThirdPage(List<PageBuffer> buffers) {
    List<PageBuffer> kept = new ArrayList<>();
    List<PageBuffer> others = new ArrayList<>();
    @Nullable HeapPage previous = null;
    int pageCount = 0;
    for (PageBuffer buffer : buffers) {
      check(buffer);
      boolean isFirst = buffer.span().page() != previous;
      previous = buffer.span().page();
      (isFirst && pageCount++ % 3 == 0 ? kept : others).add(buffer);
    }
    others.forEach(PageBuffer::close);
    return kept;
  }

  /** Closes that many stretches of buffers, evenly distributed; returns the others. */
  private static List<PageBuffer> closeStretches(
      List<PageBuffer> buffers, int stretchCount, int length) {
    List<PageBuffer> kept = new ArrayList<>();
    List<PageBuffer> others = new ArrayList<>();
    int period = buffers.size() / stretchCount / length * length;
    for (int i = 0; i < buffers.size(); i++) {
      boolean isOther = i % period < length && i / period < stretchCount;
      (isOther ? others : kept).add(buffers.get(i));
    }
    others.forEach(PageBuffer::close);
    return kept;
  }
}
