package dev.arenal.confined;

import static dev.arenal.confined.Bodies.onPlatformThread;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slabs of threads that have ended. */
@Timeout(60)
final class ThreadEndTest {
  /** Ended threads, kept so that the garbage collector is not what lets their slabs go. */
  private final List<Thread> ended = new ArrayList<>();

  @Test
  void slabOfAnEndedThread_isTakenOverByANewOne() throws Exception {
    Set<Slab> seen = new HashSet<>();
    // Looked for when the number of known threads has doubled, whatever it was before this test.
    int enough = 2 * SlabRegistry.threadCount() + 100;
    boolean isTakenOver = false;
    for (int i = 0; i < enough && !isTakenOver; i++) {
      isTakenOver = !seen.add(slabOfShortThread());
    }
    assertThat(isTakenOver).as("of %d threads", enough).isTrue();
  }

  @Test
  void manyShortThreads_leaveNoSlabsBehind() throws Exception {
    int before = SlabRegistry.threadCount();
    Set<Slab> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      seen.add(slabOfShortThread());
    }
    int limit = 2 * before + 100;
    assertThat(SlabRegistry.threadCount()).isLessThan(limit);
    assertThat(seen.stream().filter(Slab::hasMemory)).hasSizeLessThan(limit);
  }

  /** It has no arena open, so that nothing but its life keeps the slab. */
  @Test
  void slabOfALivingThread_isNotGivenToANewOne() throws Exception {
    CountDownLatch isUsed = new CountDownLatch(1);
    CountDownLatch isOver = new CountDownLatch(1);
    AtomicReference<@Nullable Slab> slab = new AtomicReference<>();
    Bodies.Running living =
        Bodies.start(() -> {
          long address = Slabs.addressOfBlock(8);
          slab.set(Slabs.ofCurrentThread().getFirst());
          isUsed.countDown();
          assertThat(isOver.await(30, SECONDS)).isTrue();
          assertThat(Slabs.ofCurrentThread()).containsExactly(slab.get());
          assertThat(Slabs.addressOfBlock(8)).isEqualTo(address);
        });
    assertThat(isUsed.await(30, SECONDS)).isTrue();
    int enough = 2 * SlabRegistry.threadCount() + 100;
    for (int i = 0; i < enough; i++) {
      assertThat(slabOfShortThread()).isNotSameAs(slab.get());
    }
    assertThat(SlabRegistry.threadCount()).isBetween(1, enough - 1);
    isOver.countDown();
    living.join();
  }

  @Test
  void slabsOfAThreadThatIsGone_areFreed() throws Exception {
    AtomicReference<List<Slab>> slabs = new AtomicReference<>(List.of());
    long threadId = useAndForget(slabs);
    assertThat(slabs.get()).hasSize(4);
    Bodies.awaitCollected(() -> SlabRegistry.find(threadId) == null);
    Bodies.awaitCollected(() -> slabs.get().stream().noneMatch(Slab::hasMemory));
    assertThat(slabs.get()).allMatch(slab -> slab.get() == 0);
  }

  private static long useAndForget(AtomicReference<List<Slab>> slabs) throws Exception {
    Bodies.Running running =
        Bodies.start(() -> {
          List<Arena> arenas = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            arenas.add(PooledArena.ofConfined());
            var _ = arenas.getLast().allocate(8);
          }
          arenas.forEach(Arena::close);
          slabs.set(Slabs.ofCurrentThread());
        });
    running.join();
    return running.thread().threadId();
  }

  @Test
  void unclosedArenaOfAnEndedThread_keepsItsMemory() throws Exception {
    AtomicReference<@Nullable Slab> lost = new AtomicReference<>();
    AtomicReference<@Nullable Slab> free = new AtomicReference<>();
    long threadId = leaveOpen(lost, free);
    Slab kept = Objects.requireNonNull(lost.get());
    Slab freed = Objects.requireNonNull(free.get());
    Bodies.awaitCollected(() -> SlabRegistry.find(threadId) == null);
    Bodies.awaitCollected(() -> !freed.hasMemory());
    for (int i = 0; i < 100; i++) {
      assertThat(slabOfShortThread()).isNotSameAs(kept);
    }
    assertThat(kept.hasMemory()).isTrue();
    assertThat(kept.get()).isEqualTo(-threadId);
    assertThat(Contents.mismatch(NativeMemory.segment(kept.address, 64), (byte) 7)).isEqualTo(-1);
  }

  private static long leaveOpen(
      AtomicReference<@Nullable Slab> lost, AtomicReference<@Nullable Slab> free) throws Exception {
    Bodies.Running running =
        Bodies.start(() -> {
          var _ = PooledArena.ofConfined().allocate(64).fill((byte) 7);
          var _ = Slabs.addressOfBlock(8);
          lost.set(Slabs.ofCurrentThread().get(0));
          free.set(Slabs.ofCurrentThread().get(1));
        });
    running.join();
    return running.thread().threadId();
  }

  /** Some pools clear the locals of their threads between tasks. */
  @Test
  void threadWhoseLocalsWereCleared_keepsItsSlabs() throws Exception {
    ThreadLocal<String> other = new ThreadLocal<>();
    try (ForkJoinPool pool =
        new ForkJoinPool(1, ForgetfulThread::new, null, false, 1, 1, 1, null, 1, SECONDS)) {
      List<List<Long>> addresses = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int round = 0; round < 5; round++) {
        pool.submit(
                () -> {
                  other.set("set");
                  threads.add(Thread.currentThread());
                  addresses.add(nestedAddresses());
                  assertThat(Slabs.ofCurrentThread()).hasSize(3);
                  return null;
                })
            .get();
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (pool.submit(() -> other.get() != null).get()) { // cleared when the thread is idle
          assertThat(System.nanoTime()).as("patience").isLessThan(deadline);
          Thread.sleep(1);
        }
      }
      assertThat(new HashSet<>(threads)).hasSize(1);
      assertThat(new HashSet<>(addresses)).hasSize(1);
    }
  }

  /** The first one is found without the thread local, the others are not. */
  private static List<Long> nestedAddresses() {
    try (Arena first = PooledArena.ofConfined();
        Arena second = PooledArena.ofConfined();
        Arena third = PooledArena.ofConfined()) {
      return List.of(
          first.allocate(8).address(), second.allocate(8).address(), third.allocate(8).address());
    }
  }

  private static final class ForgetfulThread extends ForkJoinWorkerThread {
    ForgetfulThread(ForkJoinPool pool) {
      super(null, pool, false);
    }
  }

  private Slab slabOfShortThread() throws InterruptedException {
    AtomicReference<@Nullable Slab> slab = new AtomicReference<>();
    Bodies.Running running =
        Bodies.start(() -> {
          try (Arena arena = PooledArena.ofConfined()) {
            MemorySegment block = arena.allocate(Pool.SLAB_BYTES);
            assertThat(block.address()).isEqualTo(Slabs.ofCurrentThread().getFirst().address);
            assertThat(Slabs.mismatchZero(Slabs.ofCurrentThread().getFirst())).isEqualTo(-1);
            var _ = block.fill((byte) 0xff);
            slab.set(Slabs.ofCurrentThread().getFirst());
          }
        });
    running.join();
    ended.add(running.thread());
    return Objects.requireNonNull(slab.get());
  }

  /** Two threads whose ids fall on the same place of the table of recent ones. */
  @Test
  void threadsWhoseIdsCollide_doNotGetEachOthersSlabs() throws Exception {
    onPlatformThread(() -> {
      long ours = Thread.currentThread().threadId();
      try (Arena arena = PooledArena.ofConfined()) {
        MemorySegment block = arena.allocate(64).fill((byte) 1);
        long theirs = ours;
        while (theirs < ours + 1024) {
          Bodies.Running other =
              Bodies.start(() -> {
                if ((Thread.currentThread().threadId() - ours) % 1024 == 0) {
                  try (Arena second = PooledArena.ofConfined()) {
                    MemorySegment others = second.allocate(64);
                    assertThat(others.address()).isNotEqualTo(block.address());
                    var _ = others.fill((byte) 2);
                  }
                }
              });
          other.join();
          theirs = other.thread().threadId();
        }
        assertThat(Contents.mismatch(block, (byte) 1)).isEqualTo(-1);
      }
      Slab slab = Slabs.ofCurrentThread().getFirst();
      assertThat(Slabs.addressOfBlock(64)).isEqualTo(slab.address);
    });
  }
}
