package dev.arenal.bench.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The heap of this JVM, which is the C library's, and libraries that are not what they should be.
 */
final class MeasuredHeapTest {
  @TempDir Path folder;

  @Test
  void heap_handsOutBlocks_andNoOtherCanBeChosen() {
    MeasuredHeap.choose(HeapKind.MALLOC);
    long address = MeasuredHeap.malloc(64);
    MeasuredHeap.putWord(address + 56, 7);
    MeasuredHeap.free(address);
    assertThat(address).isNotZero();
    assertThatThrownBy(() -> MeasuredHeap.choose(HeapKind.MIMALLOC))
        .hasMessage(
            "this JVM measures another heap: heap=MIMALLOC, measured=MALLOC (expected a fork for"
                + " each)");
  }

  @Test
  void libraryThatIsNotNamedOrNotThere_isRefused() {
    assertThatThrownBy(() -> HeapKind.JEMALLOC.functions(Map.of()))
        .hasMessage(
            "library is not named: variable=ARENAL_JEMALLOC (expected the path of the library)");
    String file = folder.resolve("none.so").toString();
    Map<String, String> environment = Map.of("ARENAL_MIMALLOC", file);
    assertThatThrownBy(() -> HeapKind.MIMALLOC.functions(environment))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(file);
  }
}
