package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is made ready ahead, step by step and by a clock that stands still or jumps. */
@Timeout(60)
final class TouchAheadTest {
  private static final long KIB = 1024;

  @RegisterExtension private final TestSpaces spaces = new TestSpaces();

  private final AtomicLong clockNanos = new AtomicLong();
  private final List<TouchAhead> requests = new ArrayList<>();

  private ElasticSpaceBuilder builder() {
    return spaces
        .builder("test")
        .touchAhead(true)
        .touchHelper(new TouchHelper(requests::add, clockNanos::get));
  }

  private static void grow(ElasticArena arena, long sizeBytes) {
    for (long done = 0; done < sizeBytes; done += KIB) {
      MemorySegment block = arena.allocate(KIB);
      assertThat(block.get(ValueLayout.JAVA_LONG, 0)).isZero();
      block.fill((byte) 1);
    }
  }

  private static void stepAll(ElasticSpace space) {
    for (int i = 0; i < 100 && space.touchAhead().step(); i++) {
      space.verify();
    }
  }

  @Test
  void fastArena_findsItsNextMemoryReady() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      assertThat(requests).containsOnly(space.touchAhead());
      stepAll(space);
      long readyBytes = space.touchAhead().readyBytes();
      assertThat(readyBytes).isBetween(32 * KIB, 256 * KIB);
      int populated = spaces.os.countCalls(Call.POPULATE);
      long committedBytes = space.committedBytes();
      grow(arena, readyBytes / 2);
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      assertThat(spaces.os.countCalls(Call.POPULATE)).isEqualTo(populated);
      assertThat(space.touchAhead().readyBytes()).isLessThan(readyBytes);
      space.verify();
    }
    assertThat(space.touchAhead().readyBytes()).isZero();
  }

  @Test
  void ready_isFreeInTheReport() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      long freeBefore = space.report().total().freeBytes();
      stepAll(space);
      SpaceReport.Usage total = space.report().total();
      assertThat(total.freeBytes() - freeBefore).isEqualTo(space.touchAhead().readyBytes());
      assertThat(total.usedBytes() + total.freeBytes() + total.wasteBytes())
          .isEqualTo(total.committedBytes());
    }
  }

  @Test
  void slowArena_getsNothing() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      for (int i = 0; i < 16; i++) {
        clockNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
        grow(arena, 64 * KIB);
      }
      assertThat(requests).isEmpty();
      assertThat(space.touchAhead().step()).isFalse();
      assertThat(space.touchAhead().readyBytes()).isZero();
    }
  }

  @Test
  void arenaThatPaused_getsNothingMore() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 512 * KIB);
      clockNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(5));
      assertThat(space.touchAhead().step()).isFalse();
      assertThat(space.touchAhead().readyBytes()).isZero();
    }
  }

  @Test
  void arenasThatTakeTurns_areReadyInTheirOrder() {
    ElasticSpace space = spaces.build(builder());
    List<ElasticArena> arenas = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      arenas.add(space.openConfined());
    }
    for (int round = 0; round < 8; round++) {
      arenas.forEach(arena -> grow(arena, 8 * KIB));
    }
    stepAll(space);
    int populated = spaces.os.countCalls(Call.POPULATE);
    long committedBytes = space.committedBytes();
    for (ElasticArena next : arenas.subList(0, 8)) {
      grow(next, 8 * KIB);
    }
    assertThat(space.committedBytes()).isEqualTo(committedBytes);
    assertThat(spaces.os.countCalls(Call.POPULATE)).isEqualTo(populated);
    arenas.forEach(ElasticArena::close);
  }

  @Test
  void trim_takesReadyBackAndTheArenaGoesOn() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      stepAll(space);
      long readyBytes = space.touchAhead().readyBytes();
      assertThat(space.trim()).isGreaterThanOrEqualTo(readyBytes);
      assertThat(space.touchAhead().readyBytes()).isZero();
      space.verify();
      grow(arena, 512 * KIB);
      space.verify();
    }
  }

  @Test
  void budget_isThereForWhoNeedsIt() {
    Budget budget = Budget.limitedTo("small", 4096 * KIB);
    ElasticSpace space = spaces.build(builder().budget(budget));
    try (ElasticArena arena = space.openConfined();
        ElasticArena other = space.openConfined()) {
      grow(arena, 1100 * KIB);
      stepAll(space);
      assertThat(space.touchAhead().readyBytes()).isPositive();
      MemorySegment rest = other.allocate(4096 * KIB - 1100 * KIB - 100 * KIB);
      rest.fill((byte) 2);
      assertThat(budget.committedBytes()).isLessThanOrEqualTo(budget.limitBytes());
    }
  }

  @Test
  void tightBudget_isNotUsedUpAhead() {
    ElasticSpace space = spaces.build(builder().budget(Budget.limitedTo("small", 700 * KIB)));
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      stepAll(space);
      assertThat(space.touchAhead().readyBytes()).isZero();
    }
  }

  @Test
  void refusedPopulate_endsIt() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      spaces.os.failAlways(Call.POPULATE, Errno.ENOMEM);
      assertThat(space.touchAhead().step()).isTrue();
      spaces.os.succeed();
      requests.clear();
      grow(arena, 256 * KIB);
      assertThat(requests).isEmpty();
      space.verify();
    }
  }

  @Test
  void refusedDiscard_leavesReadyAsItIs() {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      stepAll(space);
      long readyBytes = space.touchAhead().readyBytes();
      spaces.os.failAlways(Call.DISCARD, Errno.ENOMEM);
      assertThat(space.touchAhead().revokeDownTo(0)).isZero();
      spaces.os.succeed();
      assertThat(space.touchAhead().readyBytes()).isEqualTo(readyBytes);
      grow(arena, 256 * KIB);
      space.verify();
    }
  }

  /** Else it would write where the kernel is about to put zeros. */
  @Test
  void owner_waitsWhileReadyMemoryGoesBack() throws Exception {
    ElasticSpace space = spaces.build(builder());
    try (ElasticArena arena = space.openShared()) {
      grow(arena, 600 * KIB);
      stepAll(space);
      AtomicReference<Thread> owner = new AtomicReference<>();
      AtomicBoolean wentOn = new AtomicBoolean();
      List<MemorySegment> blocks = new ArrayList<>();
      spaces.os.beforeDiscard(() -> {
        spaces.os.beforeDiscard(null);
        Thread thread =
            new Thread(() -> {
              for (int i = 0; i < 64; i++) {
                blocks.add(arena.allocate(KIB).fill((byte) 7));
              }
              wentOn.set(true);
            });
        owner.set(thread);
        thread.start();
        for (int i = 0; i < 2000 && !Crew.isWaiting(thread); i++) {
          LockSupport.parkNanos(1_000_000);
        }
        assertThat(wentOn).isFalse();
      });
      assertThat(space.touchAhead().revokeDownTo(0)).isPositive();
      owner.get().join();
      assertThat(wentOn).isTrue();
      for (MemorySegment block : blocks) {
        assertThat(block.get(ValueLayout.JAVA_BYTE, KIB - 1)).isEqualTo((byte) 7);
      }
    }
  }

  @Test
  void protectingSpace_isLeftAlone() {
    ElasticSpace space = spaces.build(builder().commitMode(dev.arenal.memory.CommitMode.PROTECT));
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 512 * KIB);
      assertThat(requests).isEmpty();
      assertThat(space.touchAhead().isEnabled()).isFalse();
    }
  }

  @Test
  void smallArenas_findAReserve() {
    ElasticSpace space = spaces.build(builder());
    List<ElasticArena> arenas = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      ElasticArena arena = space.openConfined();
      grow(arena, 2 * KIB);
      arenas.add(arena);
    }
    stepAll(space);
    long committedBytes = space.committedBytes();
    for (int i = 0; i < 20; i++) {
      ElasticArena arena = space.openConfined();
      grow(arena, 2 * KIB);
      arenas.add(arena);
    }
    assertThat(space.committedBytes()).isEqualTo(committedBytes);
    arenas.forEach(ElasticArena::close);
  }

  /** Demand once fell below zero here, and the close never came back. */
  @Test
  void readyOfAStretchThatEnds_goesBack() {
    ElasticSpace space = spaces.build(builder().reserveBytes(16 * KIB));
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      stepAll(space);
      assertThat(space.touchAhead().readyBytes()).isPositive();
      arena.allocate(8, 1 << 20).fill((byte) 1);
      assertThat(space.touchAhead().readyBytes()).isZero();
      space.verify();
    }
    space.verify();
  }

  @Test
  void spaceWithoutReserve_getsNothing() {
    ElasticSpace space = spaces.build(builder().reserveBytes(0));
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 600 * KIB);
      stepAll(space);
      assertThat(space.touchAhead().readyBytes()).isZero();
    }
  }

  @Test
  void threadThatCannotBeHad_isDoneWithout() {
    ElasticSpace space =
        spaces.build(
            builder()
                .touchHelper(
                    new TouchHelper(
                        _ -> {
                          throw new OutOfMemoryError("unable to create native thread");
                        },
                        clockNanos::get)));
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 2048 * KIB);
      space.verify();
    }
  }

  /**
   * Memory that is ready elsewhere may be in the thread's hands for a moment: no reason to refuse.
   */
  @Test
  void refusedCommit_waitsForWhatIsBeingGivenBack() throws Exception {
    Budget budget = Budget.limitedTo("both", 4096 * KIB);
    ElasticSpace space = spaces.build(builder().budget(budget));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (ElasticArena arena = space.openConfined()) {
      grow(arena, 1100 * KIB);
      stepAll(space);
      long readyBytes = space.touchAhead().readyBytes();
      assertThat(readyBytes).isPositive();
      long freeBytes = budget.availableBytes();
      Thread taker =
          new Thread(() -> {
            try (ElasticArena other = space.openConfined()) {
              other.allocate(freeBytes + readyBytes / 2).fill((byte) 2);
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
      assertThat(space.touchAhead().revokeDownTo(0)).isEqualTo(readyBytes);
      taker.join();
    }
    assertThat(failure).hasNullValue();
  }
}
