package dev.arenal.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.page.PageAllocator;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The end of a {@code try} is often the only close of an arena, also where the Java heap ends. */
final class FullHeapCloseTest {
  @Test
  void confinedArenasAreClosedOnAFullHeap() throws Exception {
    List<String> flags =
        List.of("-Xmx24m", "-Xint", "-XX:-UseTLAB", "--enable-native-access=ALL-UNNAMED");
    ChildJvm child = ChildJvm.run(flags, Program.class);
    assertThat(child.exitCode()).as(child.err()).isZero();
    assertThat(child.out().lines()).containsExactly("closed=true", "closed=true");
  }

  /** Closes one of each kind. */
  static final class Program {
    public static void main(String[] arguments) {
      try (ElasticSpace space = ElasticSpace.builder("space").build();
          PageAllocator pages = PageAllocator.builder("pages").capacityBytes(8 << 20).build()) {
        space.openConfined().close();
        pages.openConfinedArena().close();
        closeOnAFullHeap(space.openConfined());
        closeOnAFullHeap(pages.openConfinedArena());
      }
    }

    private static void closeOnAFullHeap(Arena arena) {
      var _ = arena.allocate(100);
      List<byte[]> blocks = FullHeap.take();
      boolean isClosed;
      try {
        arena.close();
        isClosed = true;
      } catch (OutOfMemoryError e) {
        isClosed = false;
      }
      blocks.clear();
      if (!isClosed) {
        arena.close();
      }
      System.out.println("closed=" + isClosed);
    }
  }
}
