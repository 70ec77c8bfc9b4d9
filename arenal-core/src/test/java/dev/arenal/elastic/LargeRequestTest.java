package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Huge alignments and sizes: what the Java heap pays is in proportion to what is committed. */
final class LargeRequestTest {
  private static final long HEAP_BYTES = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @ParameterizedTest
  @ValueSource(ints = {25, 30, 38})
  void hugeAlignment_costsNoEmptyRoots(int log) {
    ElasticSpace space = spaces.space();
    long alignmentBytes = 1L << log;
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(100);
      MemorySegment first = arena.allocate(8, alignmentBytes);
      first.set(ValueLayout.JAVA_BYTE, 7, (byte) 1);
      assertThat(first.address() & (alignmentBytes - 1)).isZero();
      assertThat(space.report().metadataBytes()).isLessThan(HEAP_BYTES);
      assertThat(space.committedBytes()).isLessThan(HEAP_BYTES);
      assertThat(arena.usedBytes()).isEqualTo(112);
    }
    long reservedBytes = space.reservedBytes();
    for (int i = 0; i < 10; i++) {
      try (ElasticArena arena = space.openShared()) {
        assertThat(arena.allocate(8, alignmentBytes).address() & (alignmentBytes - 1)).isZero();
      }
    }
    assertThat(space.reservedBytes()).isEqualTo(reservedBytes);
    assertThat(space.report().metadataBytes()).isLessThan(HEAP_BYTES);
  }

  /** A distance of 2^38 bytes is 2^32 steps of 64 bytes, and no step where it is cut to an int. */
  @Test
  void alignmentFarBehindAPiece_isNotWhatFollowsThePiece() {
    long alignmentBytes = 1L << 38;
    ElasticSpace space = spaces.space();
    long aligned;
    try (ElasticArena arena = space.openConfined()) {
      aligned = arena.allocate(8, alignmentBytes).address();
    }
    var _ = space.trim(); // its chunk is one with its neighbours
    spaces.os.failAlways(SimulatedOperatingSystem.Call.RESERVE, Errno.ENOMEM);
    try (ElasticArena arena = space.openConfined(null, ArenaGrowth.MICRO)) {
      assertThat(arena.allocate(8).address()).isEqualTo(aligned);
      assertThatThrownBy(() -> arena.allocate(1088, alignmentBytes))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(arena.usedBytes()).isEqualTo(8);
      assertThat(arena.allocate(8).address()).isEqualTo(aligned + 8);
    }
  }

  /** Roots are taken into use in order; an empty one costs next to nothing. */
  @Test
  void hugeAlignment_inFixedSpace() {
    ElasticSpace space = spaces.build(spaces.builder("fixed").fixedSizeBytes(1L << 39));
    try (ElasticArena arena = space.openConfined()) {
      assertThat(arena.allocate(8, 1L << 38).address() & ((1L << 38) - 1)).isZero();
      assertThat(space.report().metadataBytes()).isLessThan(16 * HEAP_BYTES);
      assertThatThrownBy(() -> arena.allocate(8, 1L << 40 << 3))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("no room of this size is left in the fixed space");
    }
  }

  @Test
  void sizeWhoseBooksWouldFillTheHeap_isRefusedBeforeAnythingIsBuilt() {
    ElasticSpace space = spaces.space();
    long maxHeapBytes = Runtime.getRuntime().maxMemory();
    // A sixteenth of a byte for each granule of 4 KiB and each of two masks.
    long sizeBytes = Long.highestOneBit(maxHeapBytes) * 4096 * 8;
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(8);
      long reservedBytes = space.reservedBytes();
      long metadataBytes = space.report().metadataBytes();
      assertThatThrownBy(() -> arena.allocate(sizeBytes))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "native memory refused: space=test, requestedBytes="
                  + sizeBytes
                  + ", committedBytes=4096, reservedBytes="
                  + reservedBytes
                  + ", limitBytes=none, errno=none, maxHeapBytes="
                  + maxHeapBytes
                  + " (the Java heap is too small for the books of so much memory: see -Xmx, or use"
                  + " larger granules)");
      assertThat(space.reservedBytes()).isEqualTo(reservedBytes);
      assertThat(space.report().metadataBytes()).isEqualTo(metadataBytes);
    }
  }

  /** 64 GiB that are never touched: committed, so it has books; they go when it goes. */
  @Test
  void hugeSize_leavesNoBooksBehind() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(0));
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(1L << 36);
      assertThat(space.report().metadataBytes()).isLessThan((1L << 36) / 4096);
    }
    var _ = space.trim();
    assertThat(space.committedBytes()).isZero();
    assertThat(space.report().metadataBytes()).isLessThan(2 * HEAP_BYTES);
  }
}
