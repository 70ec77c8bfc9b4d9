package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.page.PageAllocator;
import dev.arenal.reserve.Ledger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that are refused at the same moment, where one of them is given enough for all: none of
 * the others may believe that there is nothing.
 */
@Timeout(120)
final class BudgetRaceTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 64 * MIB;
  private static final int THREADS = 8;
  private static final int ROUNDS = 12;

  @Test
  void reservedMemory_isNotRefusedWhatAnotherThreadIsGiven() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Budget budget = Budget.limitedTo("race", SIZE);
      try (ReservedMemory hog = ReservedMemory.reserve("hog", SIZE, budget);
          ReservedMemory wanted = ReservedMemory.reserve("wanted", SIZE, budget)) {
        var _ = hog.commit(0, SIZE);
        try (Budget.Registration _ = evicting(budget, hog)) {
          atOnce(number -> wanted.commit(number * 4096L, 4096));
        }
      }
    }
  }

  @Test
  void arenas_areNotRefusedWhatAnotherThreadIsGiven() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Budget budget = Budget.limitedTo("race", SIZE);
      try (ReservedMemory hog = ReservedMemory.reserve("hog", SIZE, budget);
          ElasticSpace space = ElasticSpace.builder("wanted").budget(budget).build()) {
        var _ = hog.commit(0, SIZE);
        try (Budget.Registration _ = evicting(budget, hog)) {
          atOnce(number -> {
            try (ElasticArena arena = space.openConfined("arena-" + number)) {
              assertThat(arena.allocate(64).byteSize()).isEqualTo(64);
            }
          });
        }
      }
    }
  }

  @Test
  void buffers_areNotRefusedWhatAnotherThreadIsGiven() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Budget budget = Budget.limitedTo("race", SIZE);
      try (ReservedMemory hog = ReservedMemory.reserve("hog", SIZE, budget);
          PageAllocator pages =
              PageAllocator.builder("wanted").budget(budget).capacityBytes(SIZE).build()) {
        var _ = hog.commit(0, SIZE);
        try (Budget.Registration _ = evicting(budget, hog)) {
          atOnce(_ -> pages.allocate(100).close());
        }
      }
    }
  }

  /** Of 101 waits 65 ended early when the two counts were read in the other order. */
  @Test
  void wait_doesNotEnd_sinceOtherCallsOfReclaimersComeAndGo() throws Exception {
    Budget budget = Budget.limitedTo("race", SIZE);
    CountDownLatch isIn = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread slow = new Thread(budget::reclaim);
    Runnable quick =
        () -> {
          while (!isOver.get()) {
            var _ = budget.reclaim();
          }
        };
    try (Budget.Registration _ =
        budget.addReclaimer(_ -> {
          if (Thread.currentThread().equals(slow)) {
            isIn.countDown();
            await(mayEnd);
          }
          return 0;
        })) {
      slow.start();
      isIn.await();
      List<Thread> others =
          List.of(Thread.ofPlatform().start(quick), Thread.ofPlatform().start(quick));
      try {
        Ledger ledger = Ledger.of(budget);
        for (int i = 0; i < ROUNDS; i++) {
          long startNanos = System.nanoTime();
          var _ = ledger.awaitOthers(ledger.endedReclaimsVolatile());
          assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(300_000_000);
        }
      } finally {
        isOver.set(true);
        mayEnd.countDown();
        slow.join();
        for (Thread thread : others) {
          thread.join();
        }
      }
    }
  }

  /**
   * Each thread has at most 8 MiB in use, and the caches of all owners have the rest: what a cache
   * gives for one thread another one may have taken before the next attempt.
   */
  @Test
  void requestsOfManyOwners_areServed_asCachesComeAndGo() throws Exception {
    Budget budget = Budget.limitedTo("race", 36 * MIB);
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<OutOfNativeMemoryError> refusals = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long seed = i;
      threads.add(
          new Thread(() -> {
            try {
              useInTurn(budget, new Random(seed), refusals);
            } catch (Throwable e) {
              failures.add(e);
            }
          }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    // Some eleven without it; others may go ahead of a thread for 0.3 s, on a busy machine.
    assertThat(refusals).hasSizeLessThan(3);
    assertThat(budget.committedBytes()).isZero();
  }

  private static void useInTurn(
      Budget budget, Random random, Collection<OutOfNativeMemoryError> refusals) {
    try (PageAllocator pages =
            PageAllocator.builder("pages").budget(budget).capacityBytes(128 * MIB).build();
        ElasticSpace space = ElasticSpace.builder("space").budget(budget).build();
        ReservedMemory table = ReservedMemory.reserve("table", 8 * MIB, budget)) {
      for (int i = 0; i < 2000; i++) {
        try {
          useOne(pages, space, table, random);
        } catch (OutOfNativeMemoryError e) {
          refusals.add(e);
        }
      }
    }
  }

  private static void useOne(
      PageAllocator pages, ElasticSpace space, ReservedMemory table, Random random) {
    switch (random.nextInt(3)) {
      case 0 -> pages.allocate(2 * MIB * (1 + random.nextInt(4))).close();
      case 1 -> {
        try (ElasticArena arena = space.openConfined()) {
          var _ = arena.allocate((1 + random.nextInt(7)) * MIB);
        }
      }
      default -> {
        long sizeBytes = (1 + random.nextInt(8)) * MIB;
        var _ = table.commit(0, sizeBytes);
        var _ = table.uncommit(0, sizeBytes);
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A cache that the first thread empties; it takes its time. */
  private static Budget.Registration evicting(Budget budget, ReservedMemory hog) {
    AtomicBoolean isFull = new AtomicBoolean(true);
    return budget.addReclaimer(_ -> isFull.compareAndSet(true, false) ? hog.uncommit(0, SIZE) : 0);
  }

  private static void atOnce(IntConsumer request) throws Exception {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                try {
                  barrier.await();
                  request.accept(number);
                } catch (Throwable e) { // for the thread of the test
                  failures.add(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
