package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.CommitMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread itself, with real memory: nothing is lost, and nothing stays. */
@Timeout(120)
final class TouchThreadTest {
  private static final int COUNT_THREADS = 3;
  private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static ElasticSpace space() {
    return ElasticSpace.builder("touched").commitMode(CommitMode.DISCARD).touchAhead(true).build();
  }

  /** Arenas grow, take turns and go, while all that is ready is taken away again and again. */
  @Test
  void contents_outliveEverything() throws Exception {
    try (ElasticSpace space = space()) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicLong readyBytes = new AtomicLong();
      List<Throwable> failures = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < COUNT_THREADS; i++) {
        long seed = Seeds.derive("touch", i);
        threads.add(new Thread(() -> churn(space, new SplittableRandom(seed), done)));
      }
      threads.add(
          new Thread(() -> {
            while (!done.get()) {
              readyBytes.accumulateAndGet(readyBytes(space), Math::max);
              var _ = space.trim();
              SpaceReport.Usage total = space.report().total();
              assertThat(total.usedBytes() + total.freeBytes() + total.wasteBytes())
                  .isEqualTo(total.committedBytes());
            }
          }));
      for (Thread thread : threads) {
        thread.setUncaughtExceptionHandler((_, e) -> {
          synchronized (failures) {
            failures.add(e);
          }
        });
        thread.start();
      }
      TimeUnit.NANOSECONDS.sleep(RUN_NANOS);
      done.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(readyBytes).hasPositiveValue(); // or this has shown nothing
      space.verify();
      var _ = space.trim();
      assertThat(space.committedBytes()).isZero();
    }
  }

  private static long readyBytes(ElasticSpace space) {
    return space.report().total().countArenas() == 0 ? 0 : space.touchAhead().readyBytes();
  }

  private static void churn(ElasticSpace space, SplittableRandom random, AtomicBoolean done) {
    while (!done.get()) {
      List<ElasticArena> arenas = new ArrayList<>();
      List<MemorySegment> blocks = new ArrayList<>();
      int countArenas = 1 + random.nextInt(12);
      for (int i = 0; i < countArenas; i++) {
        arenas.add(random.nextBoolean() ? space.openConfined() : space.openShared());
      }
      int turns = 2 + random.nextInt(12);
      int turnBlocks = 1 << random.nextInt(10);
      for (int turn = 0; turn < turns; turn++) {
        for (ElasticArena arena : arenas) {
          for (int i = 0; i < turnBlocks; i++) {
            MemorySegment block = arena.allocate(8L * (1 + random.nextInt(40)));
            assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
            block.fill((byte) blocks.size());
            blocks.add(block);
          }
        }
      }
      for (int i = 0; i < blocks.size(); i++) {
        MemorySegment block = blocks.get(i);
        assertThat(block.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) i);
        assertThat(block.get(ValueLayout.JAVA_BYTE, block.byteSize() - 1)).isEqualTo((byte) i);
      }
      arenas.forEach(ElasticArena::close);
    }
  }

  @Test
  void whenAllIsStill_nothingStaysReady() throws Exception {
    try (ElasticSpace space = space();
        ElasticArena arena = space.openConfined()) {
      boolean helped = false;
      for (int i = 0; i < 200_000 && !helped; i++) {
        arena.allocate(1024).fill((byte) 1);
        helped = i % 64 == 0 && space.touchAhead().readyBytes() > 0;
      }
      assertThat(helped).isTrue();
      for (int i = 0; i < 1000 && space.touchAhead().readyBytes() > 0; i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(space.touchAhead().readyBytes()).isZero();
      space.verify();
    }
  }
}
