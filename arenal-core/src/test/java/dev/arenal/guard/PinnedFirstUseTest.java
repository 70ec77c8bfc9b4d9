package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.machine.ChildJvm;
import dev.arenal.machine.NativeCallback;
import dev.arenal.page.PageAllocator;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A first use by virtual threads, some of which are called by native code and cannot leave their
 * carriers while they wait.
 */
final class PinnedFirstUseTest {
  @ParameterizedTest
  @ValueSource(strings = {"pool", "spaces", "allocators"})
  void firstUses_byVirtualThreads_allEnd(String way) throws Exception {
    ChildJvm child =
        ChildJvm.run(
            List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Djdk.virtualThreadScheduler.parallelism=1",
                "-Djdk.virtualThreadScheduler.maxPoolSize=1"),
            Program.class,
            way);
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out()).isEqualTo("ended: 4\n");
  }

  /** In a JVM of its own, with one carrier. */
  static final class Program {
    private static String way = "";

    private Program() {}

    public static void main(String[] args) throws Exception {
      way = args[0];
      NativeCallback callback = new NativeCallback(Program::use);
      List<Thread> threads =
          List.of(
              Thread.ofVirtual().unstarted(Program::use),
              Thread.ofVirtual().unstarted(callback::run),
              Thread.ofVirtual().unstarted(callback::run),
              Thread.ofVirtual().unstarted(Program::use));
      threads.forEach(Thread::start);
      int endedCount = 0;
      for (Thread thread : threads) {
        if (!thread.join(Duration.ofSeconds(20))) {
          break;
        }
        endedCount++;
      }
      System.out.println("ended: " + endedCount);
    }

    private static void use() {
      switch (way) {
        case "spaces" -> ElasticSpace.builder("s").build().close();
        case "allocators" -> PageAllocator.builder("p").build().close();
        default -> {
          try (Arena arena = PooledArena.ofConfined()) {
            var _ = arena.allocate(8);
          }
        }
      }
    }
  }
}
