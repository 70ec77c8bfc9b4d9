package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.replay.AllocatorKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which allocators replay, on a machine without jemalloc and mimalloc. */
final class AllocatorChoiceTest {
  private final HeapLibraries nothing =
      new HeapLibraries(Map.of("MALLOC_TOP_PAD_", "1"), List.of());

  @Test
  void all_leavesOutWhatIsMissingAndSaysSo() throws IOException {
    Choice<AllocatorKind> choice = ReplayCommand.choice(nothing, List.of(), false);

    assertThat(choice.kinds())
        .contains(AllocatorKind.HOTSPOT, AllocatorKind.JDK_SHARED, AllocatorKind.ELASTIC_16K)
        .doesNotContain(
            AllocatorKind.JEMALLOC, AllocatorKind.MIMALLOC, AllocatorKind.MIMALLOC_OWNER);
    assertThat(choice.notes()).hasSize(4);
    assertThat(choice.notes().get(0)).startsWith("jemalloc is left out: ");
    assertThat(choice.notes().get(1)).startsWith("mimalloc is left out: ");
    assertThat(choice.notes().get(2))
        .isEqualTo(
            "mimalloc-owner is left out: no libmimalloc.so.3 or libmimalloc.so.2 or libmimalloc.so"
                + " in the usual folders (install the package libmimalloc2.0 (Debian, Ubuntu),"
                + " libmimalloc3 or mimalloc, or set ARENAL_MIMALLOC to the path of a build)");
    assertThat(choice.notes().get(3))
        .isEqualTo("malloc runs with the settings of this environment: MALLOC_TOP_PAD_=1");
  }

  @Test
  void quick_leavesOutSecondFormsAndSaysSo() throws IOException {
    Choice<AllocatorKind> choice = ReplayCommand.choice(nothing, List.of(), true);

    assertThat(choice.kinds()).doesNotContain(AllocatorKind.ELASTIC_16K, AllocatorKind.ELASTIC_64K);
    assertThat(choice.notes().getFirst())
        .isEqualTo(
            "left out with --quick: elastic-64k, elastic-16k, elastic-kept, elastic-owner,"
                + " mimalloc-owner, jdk-shared");
  }

  @Test
  void named_areAllOrAnError() throws IOException {
    assertThat(
            ReplayCommand.choice(nothing, List.of("elastic", " hotspot", "elastic"), false).kinds())
        .containsExactly(AllocatorKind.ELASTIC, AllocatorKind.HOTSPOT);
    assertThatThrownBy(() -> ReplayCommand.choice(nothing, List.of("elastic", "mimalloc"), false))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("allocator is not installed: allocator=mimalloc, ");
    assertThatThrownBy(() -> ReplayCommand.choice(nothing, List.of("tcmalloc"), false))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
