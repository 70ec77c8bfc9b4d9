package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When committed memory goes back, and when it stays. */
@Timeout(60)
final class ReclaimTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @ParameterizedTest
  @EnumSource
  void none_keepsEverythingUntilItIsAsked(CommitMode mode) {
    ElasticSpace space =
        spaces.build(spaces.builder("test").commitMode(mode).reclaimPolicy(ReclaimPolicy.NONE));
    use(space, 10 * MIB);
    assertThat(space.committedBytes()).isGreaterThanOrEqualTo(10 * MIB);
    long committedBytes = space.committedBytes();
    assertThat(space.trim()).isEqualTo(committedBytes);
    assertThat(space.committedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void balanced_keepsNoMoreThanTheReserve(CommitMode mode) {
    ElasticSpace space =
        spaces.build(spaces.builder("test").commitMode(mode).reserveBytes(2 * MIB));
    use(space, 10 * MIB);
    assertThat(space.committedBytes()).isLessThanOrEqualTo(2 * MIB);
    assertThat(space.trim()).isLessThanOrEqualTo(2 * MIB);
    assertThat(space.trim()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aggressive_keepsNothing(CommitMode mode) {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").commitMode(mode).reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    use(space, 10 * MIB);
    assertThat(space.committedBytes()).isZero();
  }

  @Test
  void reserveWithoutEnd_keepsWhatWasUsedLately() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(Long.MAX_VALUE));
    use(space, 10 * MIB);
    assertThat(space.committedBytes()).isBetween(5 * MIB, 16 * MIB);
  }

  @Test
  void trim_leavesWhatIsInUse() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(100 * MIB));
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment block = arena.allocate(5000).fill((byte) 7);
      use(space, 10 * MIB);
      assertThat(space.trim()).isGreaterThanOrEqualTo(5 * MIB);
      assertThat(Contents.mismatch(block, (byte) 7)).isEqualTo(-1);
      assertThat(space.committedBytes()).isBetween(5000L, 64L * 1024);
    }
  }

  /** More than one call takes, before any that the kernel does take. */
  @Test
  void chunksThatTheKernelRefuses_areNotInTheWayOfOthers() {
    long chunkBytes = 16 * 1024;
    ElasticSpace space =
        spaces.build(spaces.builder("test").granuleBytes(chunkBytes).reserveBytes(0));
    List<ElasticArena> arenas = new ArrayList<>();
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      ElasticArena arena = space.openConfined("arena", ArenaGrowth.MICRO);
      addresses.add(arena.allocate(chunkBytes).address());
      arenas.add(arena);
    }
    long usedBytes = 3000 * chunkBytes;
    assertThat(space.committedBytes()).isEqualTo(usedBytes);
    addresses.sort(null);
    long stuckFrom = addresses.get(800); // half of what is above is free at the end
    spaces.os.refuseToTake(stuckFrom, addresses.getLast() + chunkBytes - stuckFrom);
    for (int i = 2998; i >= 0; i -= 2) {
      arenas.get(i).close();
    }

    long stuckBytes = 1100 * chunkBytes;
    assertThat(space.committedBytes()).isEqualTo(usedBytes / 2 + stuckBytes);
    assertThat(space.trim()).isZero();
    spaces.os.refuseToTake(0, 0);
    assertThat(space.trim()).isEqualTo(stuckBytes);
    for (int i = 1; i < 3000; i += 2) {
      arenas.get(i).close();
    }
  }

  /** A block that was given back early is on its way to the kernel: a refusal is not believed. */
  @Test
  void requestWaits_forABlockThatAnotherArenaGivesBack() throws Exception {
    Budget budget = Budget.limitedTo("b", 24 * MIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget).reserveBytes(0));
    CountDownLatch isInside = new CountDownLatch(1);
    try (ElasticArena giving = space.openShared();
        ElasticArena wanting = space.openConfined()) {
      MemorySegment block = giving.allocate(16 * MIB);
      spaces.os.beforeDiscard(() -> {
        isInside.countDown();
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
      });
      Thread other = Thread.ofPlatform().start(() -> giving.deallocate(block));
      isInside.await();
      assertThat(wanting.allocate(16 * MIB).byteSize()).isEqualTo(16 * MIB);
      other.join();
      spaces.os.beforeDiscard(null);
    }
  }

  @Test
  void kernelThatRefuses_costsNothingButTheMemory() {
    for (CommitMode mode : CommitMode.values()) {
      ElasticSpace space = spaces.build(spaces.builder("test").commitMode(mode).reserveBytes(0));
      spaces.os.failAlways(Call.DISCARD, Errno.EAGAIN);
      spaces.os.failAlways(Call.REVOKE, Errno.ENOMEM);
      use(space, MIB);
      assertThat(space.committedBytes()).isGreaterThanOrEqualTo(MIB);
      assertThat(space.trim()).isZero();
      space.verify();
      use(space, MIB); // the same memory, which is dirty
      spaces.os.succeed();
      assertThat(space.trim()).isGreaterThanOrEqualTo(MIB);
      assertThat(space.committedBytes()).isZero();
    }
  }

  @Test
  void delay_letsMemoryRestAndThenGivesItBack() throws InterruptedException {
    ElasticSpace space =
        spaces.build(spaces.builder("test").uncommitDelay(Duration.ofMillis(150)).reserveBytes(0));
    long start = System.nanoTime();
    use(space, 10 * MIB);
    long committedBytes = space.committedBytes();
    if (System.nanoTime() - start < Duration.ofMillis(100).toNanos()) {
      assertThat(committedBytes).isGreaterThanOrEqualTo(10 * MIB);
    }
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (space.committedBytes() > 0 && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(space.committedBytes()).isZero();
  }

  /** Memory that was free before the trim has gone: it is not idle at the end of the delay. */
  @Test
  void memoryThatIsFreedAfterATrim_restsForAWholeDelay() throws InterruptedException {
    Duration delay = Duration.ofMillis(500);
    ElasticSpace space = spaces.build(spaces.builder("test").uncommitDelay(delay).reserveBytes(0));
    ElasticArena arena = space.openConfined();
    var _ = arena.allocate(4 * MIB);
    use(space, 4 * MIB);
    assertThat(space.trim()).isGreaterThanOrEqualTo(4 * MIB);
    Thread.sleep(delay.toMillis() / 2);
    long start = System.nanoTime();
    arena.close();
    Await.until(() -> space.committedBytes() == 0);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(delay);
  }

  @Test
  void delayWithoutEnd_isNoError() {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").uncommitDelay(ChronoUnit.FOREVER.getDuration()).reserveBytes(0));
    use(space, MIB);
    assertThat(space.committedBytes()).isGreaterThanOrEqualTo(MIB);
  }

  @Test
  void largeFreeRange_ofALiveArena_goesBack_andComesAgainAsZero() {
    ElasticSpace space =
        spaces.build(spaces.builder("test").reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment first = arena.allocate(100).fill((byte) 1);
      MemorySegment large = arena.allocate(8 * MIB).fill((byte) 2);
      MemorySegment last = arena.allocate(100).fill((byte) 3);
      arena.deallocate(large);
      assertThat(space.committedBytes()).isLessThan(MIB);
      assertThat(arena.usedBytes()).isEqualTo(208);
      MemorySegment again = arena.allocate(8 * MIB);
      assertThat(again.address()).isEqualTo(large.address());
      assertThat(Contents.mismatchZero(again)).isEqualTo(-1);
      assertThat(Contents.mismatch(first, (byte) 1)).isEqualTo(-1);
      assertThat(Contents.mismatch(last, (byte) 3)).isEqualTo(-1);
      space.verify();
    }
  }

  @Test
  void deallocateAndAllocate_again_neverGrows() {
    ElasticSpace space = spaces.space();
    for (ArenaGrowth growth : ArenaGrowth.values()) {
      try (ElasticArena arena = space.openConfined("churn", growth)) {
        for (long size : new long[] {1, 40, 1000, 5000, 200_000, 2_000_000}) {
          MemorySegment block = arena.allocate(size);
          long committedBytes = space.committedBytes();
          for (int round = 0; round < 40; round++) {
            arena.deallocate(block);
            MemorySegment again = arena.allocate(size);
            assertThat(again.address()).isEqualTo(block.address());
            block = again;
          }
          assertThat(space.committedBytes()).isLessThanOrEqualTo(committedBytes);
        }
      }
    }
  }

  @Test
  void everyOtherArenaGone_givesBackHalf_whenArenasFillGranules() {
    ElasticSpace space =
        spaces.build(spaces.builder("test").reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    List<ElasticArena> arenas = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      arenas.add(space.openConfined());
    }
    for (int round = 0; round < 100; round++) {
      for (ElasticArena arena : arenas) {
        var _ = arena.allocate(1000);
      }
    }
    long usedBytes = space.usedBytes();
    assertThat(space.committedBytes()).isLessThan(usedBytes * 105 / 100);
    for (int i = 0; i < 200; i += 2) {
      arenas.get(i).close();
    }
    assertThat(space.usedBytes()).isEqualTo(usedBytes / 2);
    // Arenas in lockstep look tiny to each other: two pieces each, three to a page. See ADR 0003.
    assertThat(space.committedBytes()).isLessThan(usedBytes / 2 * 108 / 100);
    for (int i = 1; i < 200; i += 2) {
      arenas.get(i).close();
    }
    assertThat(space.committedBytes()).isZero();
  }

  /**
   * Neighbours that end together join before they go back; the end of them leaves no more behind.
   */
  @Test
  void manyArenasGone_goBackInFewCalls() {
    ElasticSpace space = spaces.build(spaces.builder("test"));
    List<ElasticArena> arenas = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      ElasticArena arena = space.openConfined();
      arenas.add(arena);
      var _ = arena.allocate(12_000); // three pages of a chunk of four
    }
    long committedBytes = space.committedBytes();
    assertThat(committedBytes).isGreaterThan(44 * MIB);
    int before = spaces.os.callCount(Call.DISCARD);
    arenas.forEach(ElasticArena::close);
    assertThat(space.committedBytes()).isLessThan(MIB / 8);
    int calls = spaces.os.callCount(Call.DISCARD) - before;
    assertThat(calls * 64L * 1024).isLessThan(committedBytes * 3 / 4);
  }

  private static void use(ElasticSpace space, long sizeBytes) {
    try (ElasticArena arena = space.openConfined("user", ArenaGrowth.LARGE)) {
      for (long done = 0; done < sizeBytes; done += 65536) {
        MemorySegment block = arena.allocate(65536);
        assertThat(block.mismatch(MemorySegment.ofArray(new byte[65536]))).isEqualTo(-1);
        var _ = block.fill((byte) 9);
      }
    }
  }

  /** The other space has it in its hands for a moment only: no reason to run out of memory. */
  @Test
  void claimedMemoryOfAnotherSpace_isWaitedFor() throws Exception {
    Budget budget = Budget.limitedTo("both", 8L << 20);
    ElasticSpace giving = spaces.build(spaces.builder("giving").budget(budget));
    ElasticSpace taking = spaces.build(spaces.builder("taking").budget(budget));
    ElasticArena large = giving.openConfined();
    large.allocate(7L << 20).fill((byte) 1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread taker =
        new Thread(() -> {
          try (ElasticArena arena = taking.openConfined()) {
            arena.allocate(6L << 20).fill((byte) 2);
          }
        });
    taker.setUncaughtExceptionHandler((_, e) -> failure.set(e));
    spaces.os.beforeDiscard(() -> {
      spaces.os.beforeDiscard(null);
      taker.start();
      for (int i = 0; i < 2000 && !Crew.isWaiting(taker); i++) {
        LockSupport.parkNanos(1_000_000);
      }
    });
    large.close();
    taker.join();
    assertThat(failure).hasNullValue();
  }
}
