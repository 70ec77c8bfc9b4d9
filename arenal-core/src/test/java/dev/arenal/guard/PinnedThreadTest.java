package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.SpaceAccess;
import dev.arenal.machine.ChildJvm;
import dev.arenal.machine.NativeCallback;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAccess;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.recorder.StatisticsAccess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.MBeanServer;
import javax.management.MBeanServerDelegate;
import javax.management.ObjectName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Virtual threads that want two locks, the second of which is taken for a while, and such that
 * native code calls, which cannot leave their carrier while they wait for the first.
 */
final class PinnedThreadTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "shared arena",
        "page allocator",
        "numbers of spans",
        "list of racks",
        "rack",
        "heap",
        "confined arenas",
        "discard",
        "pretouch",
        "statistics",
        "MBean of a space",
        "MBean of a page allocator"
      })
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
      PageAllocator pages = PageAllocator.builder("a").build();
      ElasticSpace space = ElasticSpace.builder("s").build();
      Runnable allocate = () -> pages.allocate(8 << 10);
      Runnable trim = pages::trim;
      Runnable print = space::statistics;
      switch (args[0]) {
        case "shared arena" -> {
          ElasticArena shared = space.openShared();
          Runnable allocateShared = () -> shared.allocate(1 << 20);
          run(hold(SpaceAccess.lock(shared)), allocateShared, allocateShared);
        }
        case "page allocator" -> run(hold(PageAccess.supplyLock(pages)), allocate, allocate);
        case "numbers of spans" -> run(hold(PageAccess.spansLock(pages)), allocate, allocate);
        case "list of racks" -> run(hold(PageAccess.racksLock(pages)), allocate, trim);
        case "rack" -> run(PageAccess.holdRack(pages), trim, trim);
        case "heap" -> run(hold(PageAccess.heapLock(pages)), trim, trim);
        case "confined arenas" -> {
          PageBuffer open = pages.allocate(8 << 10);
          Runnable close = () -> assertThatThrownBy(pages::close).hasMessageContaining("open");
          run(hold(PageAccess.arenasLock(pages)), close, trim);
          open.close();
        }
        case "discard" -> run(PageAccess.claim(pages), trim, trim);
        case "pretouch" -> {
          PageAllocator full =
              PageAllocator.builder("full").budget(Budget.limitedTo("b", 16 << 20)).build();
          Runnable tryAllocate = () -> full.tryAllocate(100_000);
          for (int i = 0; i < 200; i++) { // more than the budget has room for
            tryAllocate.run();
          }
          run(PageAccess.claimForPretouch(full), tryAllocate, tryAllocate);
        }
        case "statistics" -> run(hold(StatisticsAccess.lock()), print, print);
        case "MBean of a space" -> {
          listen(space.statistics());
          run(() -> {}, space::close, print);
        }
        default -> {
          listen(pages.statistics());
          run(() -> {}, pages::close, pages::close);
        }
      }
    }

    /** A listener waits each time when an MBean has gone; returns when there is one. */
    private static void listen(StatisticsTable table) throws Exception {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName("dev.arenal:type=" + table.kind() + ",*");
      while (server.queryNames(name, null).isEmpty()) {
        Thread.sleep(10);
      }
      server.addNotificationListener(
          MBeanServerDelegate.DELEGATE_NAME,
          (_, _) -> LockSupport.parkNanos(200_000_000),
          null,
          null);
    }

    /** Returns what gives the lock back. */
    @SuppressWarnings("LockNotBeforeTry")
    private static Runnable hold(ReentrantLock lock) {
      lock.lock();
      return lock::unlock;
    }

    /**
     * Starts threads while something is taken that the plain ones want with a lock held, which the
     * pinned one wants as well.
     */
    private static void run(Runnable release, Runnable plain, Runnable pinned) throws Exception {
      NativeCallback callback = new NativeCallback(pinned);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < PLAIN_COUNT; i++) {
        threads.add(Thread.ofVirtual().unstarted(plain));
      }
      threads.add(Thread.ofVirtual().unstarted(callback::run));
      for (Thread thread : threads) {
        thread.start();
      }
      Thread.sleep(300);
      release.run();
      boolean hasEnded = true;
      for (Thread thread : threads) {
        hasEnded = hasEnded && thread.join(Duration.ofSeconds(20));
      }
      System.out.println("all ended: " + hasEnded);
      System.exit(0);
    }
  }
}
