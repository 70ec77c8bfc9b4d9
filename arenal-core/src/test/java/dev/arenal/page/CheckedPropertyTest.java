package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.machine.ChildJvm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The property that checks allocators whose code says nothing of it, in JVMs of their own. */
final class CheckedPropertyTest {
  private static final List<String> ACCESS = List.of("--enable-native-access=ALL-UNNAMED");

  @Test
  void property_checksAllocatorsThatDoNotSay() throws Exception {
    assertThat(said(List.of("-D" + PageAllocatorBuilder.CHECKED_PROPERTY + "=true")))
        .containsExactly("Already closed", "read");
  }

  @Test
  void withoutIt_nothingIsChecked() throws Exception {
    assertThat(said(List.of())).containsExactly("read", "read");
    assertThat(said(List.of("-D" + PageAllocatorBuilder.CHECKED_PROPERTY + "=false")))
        .containsExactly("read", "read");
  }

  private static List<String> said(List<String> properties) throws Exception {
    List<String> flags = new ArrayList<>(ACCESS);
    flags.addAll(properties);
    ChildJvm child = ChildJvm.run(flags, Program.class);
    assertThat(child.exitCode()).as(child.err()).isZero();
    return child.out().lines().toList();
  }

  /** Reads a buffer after its close: of an allocator by default, and of one that says no. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      readLate(PageAllocator.builder("default").capacityBytes(64 << 20));
      readLate(PageAllocator.builder("told").capacityBytes(64 << 20).checked(false));
    }

    private static void readLate(PageAllocatorBuilder builder) {
      try (PageAllocator pages = builder.build()) {
        PageBuffer buffer = pages.allocate(100);
        MemorySegment segment = buffer.segment();
        buffer.close();
        try {
          byte _ = segment.get(ValueLayout.JAVA_BYTE, 0);
          System.out.println("read");
        } catch (IllegalStateException e) {
          System.out.println(e.getMessage());
        }
      }
    }
  }
}
