package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits for the reset of another one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("restricted")
final class ScopeEndTest {
  private static final long RESET_MILLIS = 400;

  /** Else it would keep a processor, or the carrier of the virtual thread that it waits for. */
  @Test
  void interruptedThread_sleepsUntilTheResetHasEnded_andStaysInterrupted() throws Exception {
    CountDownLatch isInReset = new CountDownLatch(1);
    CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
    CompletableFuture<Long> cpuNanos = new CompletableFuture<>();
    try (ElasticSpace space = ElasticSpace.builder("s").build()) {
      ElasticArena arena = space.openShared();
      MemorySegment block = arena.allocate(64);
      var _ =
          MemorySegment.ofAddress(block.address()).reinterpret(64, arena, _ -> sleepIn(isInReset));
      Thread resetting = Thread.ofPlatform().start(arena::reset);
      isInReset.await();
      Thread closing =
          Thread.ofPlatform()
              .start(() -> {
                long before = ManagementFactory.getThreadMXBean().getThreadCpuTime(id());
                Thread.currentThread().interrupt();
                arena.close();
                isInterrupted.complete(Thread.interrupted());
                cpuNanos.complete(
                    ManagementFactory.getThreadMXBean().getThreadCpuTime(id()) - before);
              });
      closing.join();
      resetting.join();
    }
    assertThat(isInterrupted).isCompletedWithValue(true);
    assertThat(cpuNanos.join()).isBetween(0L, RESET_MILLIS * 1_000_000 / 2);
  }

  private static long id() {
    return Thread.currentThread().threadId();
  }

  private static void sleepIn(CountDownLatch isInReset) {
    isInReset.countDown();
    try {
      Thread.sleep(RESET_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
