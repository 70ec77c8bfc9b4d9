package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many threads in one space: what one writes, no other changes; what is closed is closed for all;
 * and when they are done nothing is missing.
 */
@Timeout(300)
final class ConcurrencyTest {
  private static final List<ArenaGrowth> GROWTHS = List.of(ArenaGrowth.values());
  private static final int QUICK_MILLIS = Seeds.draws(500);
  private static final int SOAK_MILLIS = 60_000;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @ParameterizedTest
  @EnumSource
  void sharedArena_ownArenasAndHousekeeping(CommitMode mode) throws Exception {
    sharedArenaOwnArenasAndHousekeeping(mode, QUICK_MILLIS);
  }

  @Tag("soak")
  @ParameterizedTest
  @EnumSource
  void sharedArena_ownArenasAndHousekeeping_forLong(CommitMode mode) throws Exception {
    sharedArenaOwnArenasAndHousekeeping(mode, SOAK_MILLIS);
  }

  private void sharedArenaOwnArenasAndHousekeeping(CommitMode mode, int millis) throws Exception {
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("busy")
                .commitMode(mode)
                .reserveBytes(256 * 1024)
                .granuleBytes(mode == CommitMode.PROTECT ? 65536 : 4096));
    ElasticArena shared = space.openShared("shared");
    MemorySegment first = shared.allocate(16); // something is there, whichever thread comes first
    List<Writer> writers = new ArrayList<>();
    Crew crew = new Crew("busy" + mode, millis);
    for (int i = 1; i <= 3; i++) {
      Writer writer = new Writer(shared, (byte) i);
      writers.add(writer);
      crew.add(writer);
    }
    for (int i = 4; i <= 5; i++) {
      byte tag = (byte) i;
      crew.add(random -> useAndClose(space, tag, random));
    }
    crew.add(random -> {
      switch (random.nextInt(4)) {
        case 0 -> space.verify();
        case 1 -> space.trim();
        case 2 -> assertThat(space.usedBytes()).isBetween(0L, space.reservedBytes());
        default -> assertThat(space.committedBytes()).isPositive();
      }
    });
    crew.join();
    shared.deallocate(first);
    long usedBytes = 0;
    for (Writer writer : writers) {
      writer.checkAll();
      usedBytes += writer.usedBytes;
    }
    assertThat(shared.usedBytes()).as(Seeds.hint()).isEqualTo(usedBytes);
    shared.close();
  }

  /** Threads that allocate while the arena is closed are refused, and nothing else happens. */
  @Test
  void sharedArena_closedWhileOthersAllocate() throws Exception {
    closeWhileOthersAllocate(2 * QUICK_MILLIS);
  }

  @Tag("soak")
  @Test
  void sharedArena_closedWhileOthersAllocate_forLong() throws Exception {
    closeWhileOthersAllocate(SOAK_MILLIS);
  }

  private void closeWhileOthersAllocate(int millis) throws Exception {
    ElasticSpace space = spaces.build(spaces.builder("closing").reserveBytes(0));
    int threadCount = 4;
    ElasticArena[] current = {space.openShared()};
    AtomicInteger roundCount = new AtomicInteger();
    AtomicInteger refusedCount = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(threadCount);
    boolean[] over = new boolean[1];
    Crew crew = new Crew("closing", millis);
    for (int i = 0; i < threadCount; i++) {
      boolean closer = i == 0;
      crew.add(random -> {
        while (!over[0]) {
          barrier.await();
          ElasticArena arena = current[0];
          if (closer) {
            spin(random.nextInt(2000));
            arena.close();
            roundCount.incrementAndGet();
          } else {
            allocateUntilClosed(arena, random, refusedCount);
          }
          barrier.await();
          if (closer) {
            over[0] = !crew.hasTime();
            current[0] = space.openShared();
            if (over[0]) {
              current[0].close();
            }
          }
          barrier.await();
        }
      });
    }
    crew.join();
    assertThat(roundCount).hasPositiveValue();
    assertThat(refusedCount).hasValueGreaterThanOrEqualTo(roundCount.get());
    assertThat(space.usedBytes()).isZero();
  }

  private static void allocateUntilClosed(
      ElasticArena arena, SplittableRandom random, AtomicInteger refusedCount) {
    List<MemorySegment> blocks = new ArrayList<>();
    try {
      while (true) {
        if (blocks.size() > 20 && random.nextInt(4) == 0) {
          arena.deallocate(blocks.removeLast());
        } else {
          blocks.add(arena.allocate(random.nextInt(1, 3000)).fill((byte) 1));
        }
      }
    } catch (IllegalStateException closed) {
      refusedCount.incrementAndGet();
      assertThat(arena.scope().isAlive()).isFalse();
      // Whom the JVM catches in the middle of an access it also interrupts; Arena.ofShared() too.
      var _ = Thread.interrupted();
    }
  }

  /** Two spaces take memory from each other through one budget that is too small for both. */
  @ParameterizedTest
  @EnumSource
  void smallBudget_sharedBySpaces(CommitMode mode) throws Exception {
    Budget budget = Budget.limitedTo("small", 2 << 20);
    List<ElasticSpace> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      both.add(spaces.build(spaces.builder("space-" + i).budget(budget).commitMode(mode)));
    }
    AtomicLong doneCount = new AtomicLong();
    Crew crew = new Crew("small" + mode, QUICK_MILLIS);
    crew.goOnUntil(() -> doneCount.get() > 0);
    for (int i = 1; i <= 4; i++) {
      byte tag = (byte) i;
      crew.add(random -> {
        try {
          useAndClose(both.get(random.nextInt(2)), tag, random);
          doneCount.incrementAndGet();
        } catch (OutOfMemoryError full) {
          assertThat(full).hasMessageContaining("budget=small");
        }
        assertThat(budget.committedBytes()).isLessThanOrEqualTo(budget.limitBytes());
      });
    }
    crew.add(random -> both.get(random.nextInt(2)).verify());
    crew.join();
    assertThat(doneCount).hasPositiveValue();
  }

  /** A fixed space that is always nearly full, with references. */
  @Test
  void fixedSpace_nearlyFull() throws Exception {
    ElasticSpace space =
        spaces.build(spaces.builder("classes").fixedSizeBytes(4 << 20).reserveBytes(0));
    ElasticArena shared = space.openShared("shared");
    Crew crew = new Crew("classes", QUICK_MILLIS);
    for (int i = 1; i <= 3; i++) {
      byte tag = (byte) i;
      crew.add(random -> {
        try {
          useAndClose(space, tag, random);
          MemorySegment block = shared.allocate(1 + random.nextInt(100));
          int reference = space.reference(block);
          assertThat(space.segment(reference).address()).isEqualTo(block.address());
          shared.deallocate(block);
        } catch (OutOfMemoryError full) {
          assertThat(full).hasMessageContaining("no room of this size is left");
        }
      });
    }
    crew.add(random -> space.verify());
    crew.join();
    assertThat(shared.usedBytes()).isZero();
    shared.close();
  }

  /** Figures of an arena that other threads read may be old, but not absurd: reports use them. */
  @Test
  void usedBytes_seenByOthers_areNotAbsurd() throws Exception {
    ElasticSpace space = spaces.space();
    Crew crew = new Crew("used", QUICK_MILLIS);
    for (int i = 0; i < 2; i++) {
      boolean isShared = i == 0;
      crew.add(random -> {
        try (ElasticArena arena =
            isShared
                ? space.openShared("s", ArenaGrowth.STANDARD)
                : space.openConfined("c", ArenaGrowth.STANDARD)) {
          for (int n = 0; n < 2000; n++) {
            var _ = arena.allocate(1 + random.nextInt(1000));
          }
        }
      });
    }
    crew.add(random -> {
      long usedBytes = space.usedBytes();
      if (usedBytes < 0 || usedBytes > 3_000_000) { // 2 arenas of 2000 blocks of 500 bytes
        throw new AssertionError("usedBytes=" + usedBytes);
      }
    });
    crew.join();
  }

  @Test
  void virtualThreads_openAndCloseInOneSpace() throws Exception {
    ElasticSpace space = spaces.space();
    List<Thread> threads = new ArrayList<>();
    AtomicInteger goodCount = new AtomicInteger();
    for (int i = 0; i < 2000; i++) {
      long seed = Seeds.derive("virtual", i);
      byte tag = (byte) (1 + i % 100);
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                useAndClose(space, tag, new SplittableRandom(seed));
                goodCount.incrementAndGet();
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(goodCount).hasValue(2000);
  }

  private static void useAndClose(ElasticSpace space, byte tag, SplittableRandom random) {
    ArenaGrowth growth = GROWTHS.get(random.nextInt(GROWTHS.size()));
    try (ElasticArena arena =
        random.nextInt(8) == 0
            ? space.openShared("own", growth)
            : space.openConfined("own", growth)) {
      List<MemorySegment> blocks = new ArrayList<>();
      int count = 1 + random.nextInt(40);
      for (int i = 0; i < count; i++) {
        MemorySegment block = arena.allocate(random.nextInt(1 << random.nextInt(1, 15)));
        assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
        Contents.write(block, tag);
        blocks.add(block);
      }
      for (MemorySegment block : blocks) {
        assertThat(Contents.mismatch(block, tag)).isEqualTo(-1);
      }
    }
  }

  private static void spin(int turnCount) {
    for (int i = 0; i < turnCount; i++) {
      Thread.onSpinWait();
    }
  }

  /** Allocates in an arena that others use as well, and gives some of its blocks back. */
  private static final class Writer implements Crew.Turn {
    private static final int MOST_BLOCKS = 3000;

    private final ElasticArena arena;
    private final byte tag;
    private final List<MemorySegment> blocks = new ArrayList<>();
    long usedBytes;

    Writer(ElasticArena arena, byte tag) {
      this.arena = arena;
      this.tag = tag;
    }

    @Override
    public void take(SplittableRandom random) {
      if (blocks.size() > MOST_BLOCKS || (!blocks.isEmpty() && random.nextInt(100) < 40)) {
        MemorySegment block = blocks.remove(random.nextInt(blocks.size()));
        check(block);
        usedBytes -= OracleArena.blockBytes(block.byteSize());
        arena.deallocate(block);
        return;
      }
      int size = random.nextInt(1 << random.nextInt(1, random.nextInt(100) == 0 ? 17 : 10));
      MemorySegment block = arena.allocate(size, 1L << random.nextInt(7));
      long dirt = Contents.mismatchZero(block);
      if (dirt >= 0) {
        throw new AssertionError("not zero at " + dirt + ": " + block);
      }
      Contents.write(block, tag);
      usedBytes += OracleArena.blockBytes(size);
      blocks.add(block);
    }

    void checkAll() {
      blocks.forEach(this::check);
    }

    private void check(MemorySegment block) {
      long at = Contents.mismatch(block, tag);
      if (at >= 0) {
        throw new AssertionError("foreign write to " + block + " at " + at + ", tag=" + tag);
      }
    }
  }
}
