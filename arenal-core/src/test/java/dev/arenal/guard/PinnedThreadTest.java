package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.SpaceAccess;
import dev.arenal.machine.ChildJvm;
import dev.arenal.machine.NativeCallback;
import dev.arenal.page.PageAccess;
import dev.arenal.page.PageAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Virtual threads that want two locks, the second of which is taken for a while, and such that
 * native code calls, which cannot leave their carrier while they wait for the first.
 */
final class PinnedThreadTest {
  @ParameterizedTest
  @ValueSource(strings = {"shared arena", "page allocator"})
  void secondLockTaken_virtualThreads_allEnd(String way) throws Exception {
    ChildJvm child =
        ChildJvm.run(
            List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1"),
            Program.class,
            way);

    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out()).isEqualTo("all ended: true\n");
  }

  /** In a JVM of its own, with one carrier. */
  static final class Program {
    /** More than there are heaps that a small buffer may come from. */
    private static final int PLAIN_COUNT = 100;

    private Program() {}

    public static void main(String[] args) throws Exception {
      if (args[0].equals("page allocator")) {
        PageAllocator allocator = PageAllocator.builder("a").build();
        run(PageAccess.supplyLock(allocator), () -> allocator.allocate(8 << 10));
      } else {
        ElasticSpace space = ElasticSpace.builder("s").build();
        ElasticArena shared = space.openShared();
        run(SpaceAccess.lock(shared), () -> shared.allocate(1 << 20));
      }
    }

    @SuppressWarnings("LockNotBeforeTry")
    private static void run(ReentrantLock second, Runnable action) throws Exception {
      NativeCallback callback = new NativeCallback(action);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < PLAIN_COUNT; i++) {
        threads.add(Thread.ofVirtual().unstarted(action));
      }
      threads.add(Thread.ofVirtual().unstarted(callback::run));
      second.lock();
      for (Thread thread : threads) {
        thread.start();
      }
      Thread.sleep(300);
      second.unlock();
      boolean hasEnded = true;
      for (Thread thread : threads) {
        hasEnded = hasEnded && thread.join(Duration.ofSeconds(20));
      }
      System.out.println("all ended: " + hasEnded);
      System.exit(0);
    }
  }
}
