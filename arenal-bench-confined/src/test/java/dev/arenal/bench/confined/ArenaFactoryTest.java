package dev.arenal.bench.confined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contenders do the same work: memory that is zeroed, one block beside the other. */
final class ArenaFactoryTest {
  @ParameterizedTest
  @ValueSource(strings = {"jdk", "pooled", "malloc", "slicing"})
  void memory_isZeroedAndOfOneArena(String name) {
    ArenaFactory factory = ArenaFactory.named(name);
    for (int round = 0; round < 3; round++) {
      try (Arena outer = factory.open();
          Arena inner = factory.open()) {
        MemorySegment first = outer.allocate(24);
        MemorySegment second = inner.allocate(24);
        assertThat(first.mismatch(MemorySegment.ofArray(new byte[24]))).isEqualTo(-1);
        first.fill((byte) 1);
        assertThat(second.mismatch(MemorySegment.ofArray(new byte[24]))).isEqualTo(-1);
        second.fill((byte) 2);
      }
    }
  }

  @Test
  void slices_areReusedAfterClose() {
    long address;
    try (Arena arena = SlicingArena.open()) {
      address = arena.allocate(8).address();
    }
    try (Arena arena = SlicingArena.open()) {
      assertThat(arena.allocate(8).address()).isEqualTo(address);
    }
  }

  @Test
  void unknownName_isRefused() {
    assertThatThrownBy(() -> ArenaFactory.named("nonsense"))
        .hasMessage(
            "no such factory: factory=nonsense (expected jdk, pooled, malloc, slicing or"
                + " control)");
  }

  @Test
  void secondFactoryInOneJvm_isRefused() {
    Contender.choose("jdk");
    Contender.choose("jdk");
    assertThatThrownBy(() -> Contender.choose("pooled"))
        .hasMessage(
            "this JVM measures another factory: factory=pooled, measured=jdk (expected a fork for"
                + " each)");
  }
}
