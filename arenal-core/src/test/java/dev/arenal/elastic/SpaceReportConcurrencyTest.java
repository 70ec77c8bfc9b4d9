package dev.arenal.elastic;

import static dev.arenal.elastic.ReportAssertions.assertLaw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The sums are right in every report, while threads allocate, give back, close, trim and fail. */
final class SpaceReportConcurrencyTest {
  private static final long SEED =
      Long.parseLong(
          System.getProperty("test.seed", "").isEmpty()
              ? Long.toString(ThreadLocalRandom.current().nextLong())
              : System.getProperty("test.seed"));
  private static final List<ArenaGrowth> KINDS = List.of(ArenaGrowth.values());
  private static final long RUN_NANOS = 1_000_000_000;

  @Test
  void law_holdsWhileOthersAllocate() throws Exception {
    run(Budget.unlimited("plenty"));
  }

  @Test
  void law_holdsWhileOthersAreRefused() throws Exception {
    run(Budget.limitedTo("tight", 3 << 20));
  }

  private static void run(Budget budget) throws InterruptedException, ExecutionException {
    AtomicBoolean done = new AtomicBoolean();
    try (ElasticSpace space =
            ElasticSpace.builder("busy").granuleBytes(4096).budget(budget).build();
        ElasticArena shared = space.openShared("shared", ArenaGrowth.ADAPTIVE)) {
      List<Future<Long>> futures = new ArrayList<>();
      try (ExecutorService threads = Executors.newFixedThreadPool(5)) {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 2; i++) {
          futures.add(threads.submit(confined(space, random.split(), done)));
          futures.add(threads.submit(sharing(shared, random.split(), done)));
        }
        futures.add(threads.submit(trimming(space, done)));
        long reportCount = 0;
        long end = System.nanoTime() + RUN_NANOS;
        try {
          while (System.nanoTime() - end < 0 || reportCount < 10) {
            assertLaw(space.report(ReportDetail.values()));
            assertLaw(space.report());
            assertThat(space.usedBytes()).isBetween(0L, space.reservedBytes());
            reportCount++;
          }
        } finally {
          done.set(true);
        }
      }
      for (Future<Long> future : futures) {
        assertThat(future.get()).as("test.seed=%d, operations", SEED).isPositive();
      }
      space.verify();
      SpaceReport quiet = space.report(ReportDetail.values());
      assertLaw(quiet);
      assertThat(quiet.inTransitBytes()).isZero();
      assertThat(quiet.usedBytes()).isEqualTo(shared.usedBytes()).isEqualTo(space.usedBytes());
    }
  }

  /** Opens arenas, fills them, gives some back, closes them. */
  private static Callable<Long> confined(
      ElasticSpace space, SplittableRandom random, AtomicBoolean done) {
    return () -> {
      long operations = 0;
      do {
        ArenaGrowth growth = KINDS.get(random.nextInt(KINDS.size()));
        try (ElasticArena arena = space.openConfined("c", growth)) {
          int blockCount = 1 + random.nextInt(2000);
          for (int i = 0; i < blockCount; i++) {
            operations += allocate(arena, random);
          }
        }
      } while (!done.get());
      return operations;
    };
  }

  /** Allocates in an arena of several threads, and gives back at once so that it stays small. */
  private static Callable<Long> sharing(
      ElasticArena arena, SplittableRandom random, AtomicBoolean done) {
    return () -> {
      long operations = 0;
      do {
        operations += allocate(arena, random);
      } while (!done.get());
      return operations;
    };
  }

  private static long allocate(ElasticArena arena, SplittableRandom random) {
    try {
      long sizeBytes = 1L + random.nextInt(random.nextInt(100) == 0 ? 300_000 : 300);
      MemorySegment block = arena.allocate(sizeBytes, 1L << random.nextInt(8));
      if (arena instanceof SharedArena || random.nextBoolean()) {
        arena.deallocate(block);
      }
      return 1;
    } catch (OutOfMemoryError e) {
      return 1;
    }
  }

  private static Callable<Long> trimming(ElasticSpace space, AtomicBoolean done) {
    return () -> {
      long operations = 0;
      do {
        long bytes = space.trim();
        assertThat(bytes).isNotNegative();
        operations++;
        Thread.sleep(1);
      } while (!done.get());
      return operations;
    };
  }
}
