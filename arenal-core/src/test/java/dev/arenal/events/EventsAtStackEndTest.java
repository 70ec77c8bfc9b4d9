package dev.arenal.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.machine.ChildJvm;
import dev.arenal.page.PageAllocator;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first event of a process, by a thread at the end of its stack: the recorder gives the class
 * of an event an initializer. If it runs there, it fails, or the recorder says that it cannot add
 * its instrumentation.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EventsAtStackEndTest {
  @ParameterizedTest
  @ValueSource(strings = {"space", "allocator"})
  void firstEvent_damagesNothing(String way) throws Exception {
    ChildJvm child =
        ChildJvm.run(List.of("--enable-native-access=ALL-UNNAMED"), Program.class, way);
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly("isDamaged=false", "emitted=true");
  }

  /**
   * Gives memory back for the first time while a recording runs, as deep in the stack as it can.
   */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws InterruptedException {
      if (args[0].equals("space")) {
        space();
      } else {
        allocator();
      }
      for (int i = 0; i < 1000 && !MemoryEvents.areEmitted(); i++) {
        Thread.sleep(10);
      }
      System.out.println("emitted=" + MemoryEvents.areEmitted());
    }

    private static void space() throws InterruptedException {
      try (ElasticSpace space = ElasticSpace.builder("s").reserveBytes(1 << 20).build()) {
        use(space);
        var _ = space.trim(); // all classes but those of events are there
        use(space);
        new Recording().start();
        dive(space::trim);
        use(space);
        System.out.println("isDamaged=" + space.isDamaged());
      }
    }

    private static void use(ElasticSpace space) {
      try (ElasticArena arena = space.openConfined()) {
        var _ = arena.allocate(512 << 10);
      }
    }

    private static void allocator() throws InterruptedException {
      try (PageAllocator pages = PageAllocator.builder("p").capacityBytes(64 << 20).build()) {
        pages.allocate(8 << 20).close();
        var _ = pages.trim();
        pages.allocate(8 << 20).close();
        new Recording().start();
        dive(pages::trim);
        pages.allocate(8 << 20).close();
        System.out.println("isDamaged=" + pages.isDamaged());
      }
    }

    private static void dive(Runnable body) throws InterruptedException {
      Thread thread = new Thread(null, () -> descend(body), "diver", 512 << 10);
      thread.start();
      thread.join();
    }

    /** Runs it in the deepest frame, and in each above, until it has not met the end. */
    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    private static boolean descend(Runnable body) {
      boolean isDone;
      try {
        isDone = descend(body);
      } catch (StackOverflowError e) {
        isDone = false;
      }
      if (!isDone) {
        try {
          body.run();
          isDone = true;
        } catch (StackOverflowError e) {
          isDone = false;
        }
      }
      return isDone;
    }
  }
}
