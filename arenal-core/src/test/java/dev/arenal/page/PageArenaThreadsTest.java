package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.Seeds;
import dev.arenal.stats.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Shared arenas that are closed while threads allocate in them, beside threads that take and free
 * buffers of the same allocator: a block that can be read holds what its thread wrote, and so does
 * a buffer; memory of arenas is zero.
 */
@Timeout(120)
final class PageArenaThreadsTest {
  private static final long FOR_NANOS = 3_000_000_000L;

  @RegisterExtension private final Allocators allocators = new Allocators();

  private final AtomicReference<Arena> current = new AtomicReference<>();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();

  /** One turn of a thread. */
  @FunctionalInterface
  private interface Turn {
    void take(SplittableRandom random);
  }

  @Test
  void arenasAreClosed_whileOthersAllocate() throws Exception {
    allocators.isZeroed = false; // where the arena itself zeroes
    allocators.hasMagazines = true;
    PageAllocator pages = allocators.open();
    current.set(pages.openSharedArena());
    AtomicLongArray counts = new AtomicLongArray(2);
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      int mark = i;
      threads.add(start(i, random -> allocate(mark, random, counts)));
    }
    threads.add(start(4, random -> useBuffers(pages, random)));
    threads.add(
        start(
            5,
            random -> {
              for (int i = random.nextInt(20_000); i > 0; i--) {
                Thread.onSpinWait();
              }
              current.getAndSet(pages.openSharedArena()).close();
              counts.incrementAndGet(0);
            }));
    long endNanos = System.nanoTime() + FOR_NANOS;
    try {
      Await.until(() ->
          !failures.isEmpty()
              || (System.nanoTime() > endNanos && counts.get(0) > 5 && counts.get(1) > 0));
    } finally {
      isOver.set(true);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).as(Seeds.hint()).isEmpty();
    assertThat(counts.get(0)).as("closed arenas").isGreaterThan(5);
    assertThat(counts.get(1)).as("blocks").isPositive();
    current.get().close();
    assertThat(pages.usedBytes()).isZero();
  }

  private Thread start(int number, Turn turn) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("arenaThreads", number));
    return Thread.ofPlatform()
        .start(() -> {
          try {
            while (!isOver.get() && failures.isEmpty()) {
              turn.take(random);
            }
          } catch (Throwable e) {
            failures.add(e);
          }
        });
  }

  private void allocate(int mark, SplittableRandom random, AtomicLongArray counts) {
    Arena arena = current.get();
    List<MemorySegment> blocks = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        int shift = random.nextInt(16) == 0 ? 18 : 2 + random.nextInt(11);
        MemorySegment block =
            arena.allocate(1 + random.nextInt(1 << shift), 1L << random.nextInt(8));
        long notZero = Noise.firstNonZero(block);
        Allocators.check(notZero < 0, () -> "not zero at " + notZero);
        Noise.write(block, mark);
        blocks.add(block);
        counts.incrementAndGet(1);
      }
      for (MemorySegment block : blocks) {
        long at = Noise.mismatch(block, mark);
        Allocators.check(at < 0, () -> "a foreign byte at " + at);
      }
    } catch (OutOfNativeMemoryError e) {
      LockSupport.parkNanos(100_000); // until the arena is closed
    } catch (IllegalStateException closed) {
      if (arena.scope().isAlive() || !"Already closed".equals(closed.getMessage())) {
        throw closed;
      }
      // A thread that the JVM catches in the middle of an access is interrupted, too.
      var _ = Thread.interrupted();
    }
  }

  private static void useBuffers(PageAllocator pages, SplittableRandom random) {
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      PageBuffer buffer = pages.tryAllocate(1 + random.nextInt(1 << random.nextInt(1, 17)));
      if (buffer != null) {
        Noise.write(buffer.segment(), buffers.size());
        buffers.add(buffer);
      }
    }
    for (int i = 0; i < buffers.size(); i++) {
      long at = Noise.mismatch(buffers.get(i).segment(), i);
      Allocators.check(at < 0, () -> "a buffer has a foreign byte at " + at);
      buffers.get(i).close();
    }
  }
}
