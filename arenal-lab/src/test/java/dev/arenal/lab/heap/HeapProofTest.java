package dev.arenal.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The claims of heap libraries about themselves, and the proof of them. */
final class HeapProofTest {
  @Test
  void jemallocThatDoesNotCountTheBlock_isNotWhatWasMeasured() {
    Path file = Path.of("/lib/libjemalloc.so.2");

    assertThatCode(() -> JemallocHeap.checkProof(file, 1000, 1024)).doesNotThrowAnyException();
    assertThatThrownBy(() -> JemallocHeap.checkProof(file, 1000, 0))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "another heap answered: allocator=jemalloc, library=/lib/libjemalloc.so.2,"
                + " askedBytes=1000, countedBytes=0 (expected thread.allocated of the library to"
                + " grow by what was asked for)");
    assertThatThrownBy(() -> JemallocHeap.checkProof(file, 1000, 2000))
        .isInstanceOf(IOException.class);
  }

  @Test
  void mimallocThatDoesNotKnowTheBlock_isNotWhatWasMeasured() {
    Path file = Path.of("/lib/libmimalloc.so.2");

    assertThatCode(() -> MimallocHeap.checkProof(file, true, false, 1024))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> MimallocHeap.checkProof(file, false, false, 0))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "another heap answered: allocator=mimalloc, library=/lib/libmimalloc.so.2,"
                + " isInHeap=false, isCodeInHeap=false, askedBytes=1000, usableBytes=0 (expected"
                + " mi_is_in_heap_region to know its own blocks and nothing else)");
    assertThatThrownBy(() -> MimallocHeap.checkProof(file, true, true, 1024))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> MimallocHeap.checkProof(file, true, false, 999))
        .isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @CsvSource({"209, 2.0.9", "217, 2.1.7", "315, 3.1.5", "30203, 3.2.3"})
  void versionOfMimalloc_isRead(int version, String text) {
    assertThat(MimallocHeap.versionText(version)).isEqualTo(text);
  }
}
