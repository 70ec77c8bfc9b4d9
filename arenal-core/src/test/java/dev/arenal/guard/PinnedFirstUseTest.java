package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.machine.ChildJvm;
import dev.arenal.page.PageAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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

    @SuppressWarnings("restricted")
    public static void main(String[] args) throws Exception {
      way = args[0];
      Linker linker = Linker.nativeLinker();
      FunctionDescriptor comparator =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
      MethodHandle compare =
          MethodHandles.lookup()
              .findStatic(
                  Program.class,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      MemorySegment callback = linker.upcallStub(compare, comparator, Arena.global());
      MethodHandle sort =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("qsort"),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));
      MemorySegment two = Arena.global().allocate(2 * Long.BYTES);
      List<Thread> threads =
          List.of(
              Thread.ofVirtual().unstarted(Program::use),
              Thread.ofVirtual().unstarted(() -> sort(sort, two, callback)),
              Thread.ofVirtual().unstarted(() -> sort(sort, two, callback)),
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

    private static void sort(MethodHandle sort, MemorySegment two, MemorySegment callback) {
      try {
        sort.invokeExact(two, 2L, (long) Long.BYTES, callback);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    static int compare(MemorySegment left, MemorySegment right) {
      use();
      return Long.compare(left.address(), right.address());
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
