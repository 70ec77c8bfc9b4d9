package dev.arenal.elastic;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks that come back early: what of their memory goes to the kernel, and what is counted. */
final class EarlyFreesTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  /** Taken again, its granules are counted again; given back again, they go again. */
  @Test
  void memoryOfAFreeRange_goesAndComes_andTheSumsAreRight() {
    ElasticSpace space = aggressive(Budget.unlimited("test"));
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      MemorySegment large = arena.allocate(MIB, 4096);
      MemorySegment small = arena.allocate(8192, 4096);
      var _ = arena.allocate(8);
      long committedBytes = space.committedBytes();
      for (int round = 0; round < 3; round++) {
        arena.deallocate(large);
        assertThat(space.committedBytes()).isEqualTo(committedBytes - MIB);
        assertThat(usage(space).deallocatedCommittedBytes()).isZero();
        assertThat(usage(space).deallocatedBytes()).isEqualTo(MIB);
        MemorySegment again = arena.allocate(MIB, 4096);
        assertThat(again.address()).isEqualTo(large.address());
        assertThat(space.committedBytes()).isEqualTo(committedBytes);
        assertThat(usage(space).deallocatedBytes()).isZero();
      }
      arena.deallocate(small); // too little to go
      assertThat(usage(space).deallocatedCommittedBytes()).isEqualTo(8192);
      space.verify();
    }
  }

  /**
   * A look at each of its chunks would take some 0.3 ms each time. Chunks smaller than a granule
   * keep theirs.
   */
  @ParameterizedTest
  @ValueSource(longs = {4096, 65536})
  void memoryOfAFreeRange_goesWithoutALookAtAllChunks(long granuleBytes) {
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("test")
                .granuleBytes(granuleBytes)
                .commitMode(CommitMode.DISCARD)
                .reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    long largeBytes = 128 << 10;
    boolean pieces = granuleBytes == 4096;
    try (ElasticArena arena =
        space.openConfined("a", pieces ? ArenaGrowth.MICRO : ArenaGrowth.STANDARD)) {
      MemorySegment first = arena.allocate(pieces ? 1024 : 16 << 10);
      for (int i = 1; i < 64_000; i++) {
        var _ = arena.allocate(first.byteSize());
      }
      MemorySegment large = arena.allocate(largeBytes, largeBytes);
      assertThat(usage(space).chunkCount()).isGreaterThan(10_000);
      long committedBytes = space.committedBytes();
      long start = cpuNanos();
      for (int i = 0; i < 10_000; i++) {
        arena.deallocate(large);
        large = arena.allocate(largeBytes, largeBytes);
      }
      assertThat(Duration.ofNanos(cpuNanos() - start)).isLessThan(Duration.ofSeconds(2));
      arena.deallocate(large);
      assertThat(space.committedBytes()).isEqualTo(committedBytes - largeBytes);
      arena.deallocate(first);
      assertThat(space.committedBytes()).isEqualTo(committedBytes - largeBytes);
      space.verify();
    }
  }

  /** What idle arenas keep is bounded for all of them together. */
  @Test
  void manyIdleArenas_keepNoMoreThanTheReserve() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(MIB));
    List<ElasticArena> arenas = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ElasticArena arena = space.openConfined("tenant-" + i);
      arenas.add(arena);
      var _ = arena.allocate(64);
      List<MemorySegment> blocks = new ArrayList<>();
      for (int block = 0; block < 6; block++) {
        blocks.add(arena.allocate(64 << 10));
      }
      blocks.forEach(arena::deallocate);
    }
    assertThat(space.usedBytes()).isEqualTo(6400);
    assertThat(space.committedBytes()).isLessThan(3 * MIB);
    assertThat(usage(space).deallocatedCommittedBytes()).isLessThan(2 * MIB);
    arenas.forEach(ElasticArena::close);
  }

  /** A block that had gone back, and came again, leaves nothing of it for the next arena. */
  @Test
  void memoryThatCameAgain_isZeroForTheNextArena() {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").reclaimPolicy(ReclaimPolicy.AGGRESSIVE).reserveBytes(8 * MIB));
    long address;
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      MemorySegment block = arena.allocate(MIB, 4096); // all of its stretch: nothing beside it
      long committedBytes = space.committedBytes();
      arena.deallocate(block);
      assertThat(space.committedBytes()).isEqualTo(committedBytes - MIB);
      MemorySegment again = arena.allocate(MIB, 4096);
      address = again.address();
      Contents.write(again, (byte) 5);
    }
    try (ElasticArena arena = space.openConfined("b", ArenaGrowth.LARGE)) {
      for (int i = 0; i < 64; i++) {
        MemorySegment block = arena.allocate(16 << 10);
        assertThat(block.address()).isEqualTo(address + i * (16L << 10));
        assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
      }
    }
  }

  /** Granules that a small chunk shares stay committed, however their blocks come back. */
  @ParameterizedTest
  @ValueSource(ints = {14, 15, 16, 17})
  void granulesOfSmallChunks_stay(int granuleLog) {
    for (int sizeBytes : new int[] {512, 1500, 3000, 4096, 6000, 8192}) {
      for (ArenaGrowth growth : ArenaGrowth.values()) {
        ElasticSpace space =
            spaces.build(
                spaces
                    .builder("test")
                    .granuleBytes(1L << granuleLog)
                    .reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
        try (ElasticArena arena = space.openConfined("a", growth)) {
          List<MemorySegment> blocks = new ArrayList<>();
          for (int i = 0; i < 600_000 / sizeBytes; i++) {
            MemorySegment block = arena.allocate(sizeBytes);
            Contents.write(block, (byte) 1);
            blocks.add(block);
          }
          blocks.forEach(arena::deallocate);
          space.verify();
          for (int i = 0; i < 100; i++) {
            assertThat(Contents.mismatchZero(arena.allocate(sizeBytes))).isEqualTo(-1);
          }
          space.verify();
        }
        space.verify();
      }
    }
  }

  /** The gap before an aligned block is no part of what is used, whichever path finds the block. */
  @Test
  void whereNoFreeBlockFits_blocksFollowTheLastOne() {
    ElasticSpace space = aggressive(Budget.unlimited("test"));
    try (ElasticArena confined = space.openConfined();
        ElasticArena shared = space.openShared()) {
      for (ElasticArena arena : new ElasticArena[] {confined, shared}) {
        MemorySegment free = arena.allocate(16);
        MemorySegment last = arena.allocate(24);
        arena.deallocate(free);
        assertThat(arena.usedBytes()).isEqualTo(24);

        MemorySegment next = arena.allocate(24);
        MemorySegment aligned = arena.allocate(64, 64);

        assertThat(next.address()).isEqualTo(last.address() + 24);
        assertThat(aligned.address()).isEqualTo((next.address() + 24 + 63) & -64);
        assertThat(arena.usedBytes()).isEqualTo(24 + 24 + 64);
        assertThat(arena.allocate(16).address()).isEqualTo(free.address());
        assertThat(arena.usedBytes()).isEqualTo(24 + 24 + 64 + 16);
      }
      space.verify();
    }
  }

  /** A call into the kernel is not worth it, nor are granules that others have a part of. */
  @Test
  void smallFreeRanges_stayCommitted_untilTheyAreALargeOne() {
    ElasticSpace space = aggressive(Budget.unlimited("test"));
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      MemorySegment first = arena.allocate(12_288, 4096);
      MemorySegment second = arena.allocate(4096, 4096);
      var _ = arena.allocate(8);
      long committedBytes = space.committedBytes();
      arena.deallocate(first);
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      assertThat(spaces.os.callCount(Call.DISCARD)).isZero();
      arena.deallocate(second);
      assertThat(space.committedBytes()).isEqualTo(committedBytes - 16_384);
      assertThat(spaces.os.callCount(Call.DISCARD)).isEqualTo(1);
    }
  }

  /** A balanced space keeps what is given back and taken again all the time. */
  @Test
  void balancedArena_keepsAsMuchAsTheReserve() {
    ElasticSpace space =
        spaces.build(spaces.builder("balanced").granuleBytes(4096).reserveBytes(MIB));
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      MemorySegment first = arena.allocate(MIB, 4096);
      MemorySegment second = arena.allocate(64 << 10, 4096);
      var _ = arena.allocate(8);
      long committedBytes = space.committedBytes();
      arena.deallocate(first);
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      arena.deallocate(second);
      assertThat(space.committedBytes()).isLessThanOrEqualTo(committedBytes - MIB);
    }
  }

  /** Where the budget is used up meanwhile the block stays free, as it is, for the next time. */
  @Test
  void freeRangeThatTheBudgetDoesNotGiveBack_isStillThere() {
    Budget budget = Budget.limitedTo("b", 8 * MIB);
    ElasticSpace space = aggressive(budget);
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      MemorySegment large = arena.allocate(MIB, 4096).fill((byte) 1);
      var _ = arena.allocate(8);
      arena.deallocate(large);
      long restBytes = budget.availableBytes();
      assertThat(Ledger.of(budget).tryCommit(restBytes)).isTrue();
      long usedBytes = arena.usedBytes();
      assertThatThrownBy(() -> arena.allocate(MIB, 4096)).isInstanceOf(OutOfMemoryError.class);
      space.verify();
      Objects.requireNonNull(((ChunkedArena) arena).earlyFrees).blocks.verify();
      assertThat(arena.usedBytes()).isEqualTo(usedBytes);
      assertThat(usage(space).deallocatedBytes()).isEqualTo(MIB);
      Ledger.of(budget).uncommit(restBytes);
      MemorySegment again = arena.allocate(MIB, 4096);
      assertThat(again.address()).isEqualTo(large.address());
      assertThat(Contents.mismatchZero(again)).isEqualTo(-1);
    }
  }

  /** The rest of the stretch is committed: a budget that is used up does not matter there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void smallBlock_fitsBehindTheOthers_whereAFreeBlockIsRefused(boolean isConfined) {
    Budget budget = Budget.limitedTo("b", 8 * MIB);
    ElasticSpace space = aggressive(budget);
    try (ElasticArena arena =
        isConfined
            ? space.openConfined("a", ArenaGrowth.LARGE)
            : space.openShared("a", ArenaGrowth.LARGE)) {
      MemorySegment large = arena.allocate(MIB, 4096);
      MemorySegment behind = arena.allocate(8);
      arena.deallocate(large);
      long restBytes = budget.availableBytes();
      assertThat(Ledger.of(budget).tryCommit(restBytes)).isTrue();
      MemorySegment small = arena.allocate(64);
      assertThat(small.address()).isGreaterThan(behind.address());
      assertThat(Contents.mismatchZero(small)).isEqualTo(-1);
      Ledger.of(budget).uncommit(restBytes);
      assertThat(arena.allocate(MIB, 4096).address()).isEqualTo(large.address());
      space.verify();
    }
  }

  /** Where there are no addresses either, the budget is the reason, which others may mend. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void freeBlockThatIsRefused_isHadOnceOthersGiveBack(boolean isConfined) {
    Budget budget = Budget.limitedTo("b", 64 * MIB);
    long[] othersBytes = {0};
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("full")
                .fixedSizeBytes(16 * MIB)
                .granuleBytes(4096)
                .budget(budget)
                .reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    try (ElasticArena arena =
        isConfined
            ? space.openConfined("a", ArenaGrowth.LARGE)
            : space.openShared("a", ArenaGrowth.LARGE)) {
      MemorySegment first = arena.allocate(MIB, 4096);
      for (int i = 0; i < 15; i++) {
        var _ = arena.allocate(MIB, 4096);
      }
      assertThatThrownBy(() -> arena.allocate(MIB, 4096)).isInstanceOf(OutOfMemoryError.class);
      arena.deallocate(first);
      othersBytes[0] = budget.availableBytes();
      assertThat(Ledger.of(budget).tryCommit(othersBytes[0])).isTrue();
      try (Budget.Registration _ =
          budget.addReclaimer(_ -> {
            long gaveBytes = othersBytes[0];
            Ledger.of(budget).uncommit(gaveBytes);
            othersBytes[0] = 0;
            return gaveBytes;
          })) {
        assertThat(arena.allocate(MIB, 4096).address()).isEqualTo(first.address());
      }
      assertThat(othersBytes[0]).isZero();
    }
  }

  /** The block that fits first has gone back, and the budget is used up: another one serves. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void freeBlockThatIsRefused_isNotInTheWayOfOneThatIsCommitted(boolean isConfined) {
    Budget budget = Budget.limitedTo("b", 64 * MIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget).reserveBytes(0));
    try (ElasticArena arena = isConfined ? space.openConfined() : space.openShared()) {
      var _ = arena.allocate(4 * MIB);
      MemorySegment gone = arena.allocate(100 << 10);
      var _ = arena.allocate(8);
      MemorySegment kept = arena.allocate(200 << 10).fill((byte) 1);
      var _ = arena.allocate(8);
      arena.deallocate(kept);
      long committedBytes = space.committedBytes();
      arena.deallocate(gone);
      assertThat(space.committedBytes()).as("what this test is for").isLessThan(committedBytes);
      budget.setLimitBytes(space.committedBytes());
      for (long sizeBytes : new long[] {60 << 10, 1000, 8, 50 << 10}) {
        MemorySegment block = arena.allocate(sizeBytes);
        assertThat(block.address())
            .isBetween(kept.address(), kept.address() + (200 << 10) - sizeBytes);
        assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
        space.verify();
      }
      assertThat(failureOf(() -> arena.allocate(95 << 10))).isInstanceOf(OutOfMemoryError.class);
      Objects.requireNonNull(((ChunkedArena) arena).earlyFrees).blocks.verify();
      budget.setLimitBytes(64 * MIB);
      assertThat(arena.allocate(95 << 10).address()).isEqualTo(gone.address());
    }
  }

  @Test
  void blocksAtHand_areThoseThatAreAllCommitted() {
    ElasticSpace space = aggressive(Budget.unlimited("test"));
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      MemorySegment large = arena.allocate(MIB, 4096);
      MemorySegment small = arena.allocate(64).fill((byte) 1);
      var _ = arena.allocate(8);
      arena.deallocate(small);
      EarlyFrees frees = Objects.requireNonNull(((ChunkedArena) arena).earlyFrees);
      assertThat(frees.isAtHand()).isTrue();
      assertThat(frees.blocks.isEmpty()).isFalse();
      MemorySegment again = arena.allocate(64);
      assertThat(again.address()).isEqualTo(small.address());
      assertThat(Contents.mismatchZero(again)).isEqualTo(-1);
      assertThat(frees.isAtHand()).isFalse(); // there are none
      assertThat(frees.blocks.isEmpty()).isTrue();
      arena.deallocate(large);
      assertThat(frees.isAtHand()).isFalse(); // it has to be had from the kernel
    }
  }

  private ElasticSpace aggressive(Budget budget) {
    return spaces.build(
        spaces
            .builder("aggressive")
            .granuleBytes(4096)
            .budget(budget)
            .reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
  }

  private static SpaceReport.Usage usage(ElasticSpace space) {
    return space.report().total();
  }

  /** Of this thread: other processes may keep the machine busy. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
