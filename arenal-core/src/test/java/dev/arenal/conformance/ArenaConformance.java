package dev.arenal.conformance;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promises of every {@link Arena}, of any factory. The subclasses for the arenas of the JDK
 * show that these are its promises; those for ours, that we keep them.
 */
@Timeout(60)
public abstract class ArenaConformance {
  protected abstract Arena open();

  protected abstract boolean isConfined();

  /** Beyond a root chunk. */
  protected long mostAlignmentBytes() {
    return 64 << 20;
  }

  // ---- scope and life ----

  @Test
  final void scope_isAliveUntilClose() {
    Arena arena = open();
    assertThat(arena.scope().isAlive()).isTrue();
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
  }

  @Test
  final void scope_isThatOfAllSegments_andOfNoOtherArena() {
    try (Arena arena = open();
        Arena other = open()) {
      MemorySegment first = arena.allocate(8);
      MemorySegment second = arena.allocate(1 << 20);
      assertThat(first.scope()).isEqualTo(arena.scope()).isEqualTo(second.scope());
      assertThat(first.scope().hashCode()).isEqualTo(arena.scope().hashCode());
      assertThat(first.asSlice(4).scope()).isEqualTo(arena.scope());
      assertThat(first.scope()).isNotEqualTo(other.allocate(8).scope());
      assertThat(arena.scope()).isNotEqualTo(other.scope());
    }
  }

  @Test
  final void segments_areDeadAfterClose() {
    Arena arena = open();
    MemorySegment block = arena.allocate(100);
    MemorySegment slice = block.asSlice(10, 10);
    MemorySegment empty = arena.allocate(0);
    arena.close();
    assertThatThrownBy(() -> block.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> slice.set(JAVA_BYTE, 0, (byte) 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> block.fill((byte) 0)).isInstanceOf(IllegalStateException.class);
    assertThat(empty.scope().isAlive()).isFalse();
  }

  @Test
  final void close_twice_isRefused() {
    Arena arena = open();
    var _ = arena.allocate(8);
    arena.close();
    assertThatThrownBy(arena::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  @Test
  final void close_ofAnArenaThatNeverAllocated() {
    Arena arena = open();
    arena.close();
    assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void arenas_closeInAnyOrder() {
    Arena first = open();
    Arena second = open();
    MemorySegment block = second.allocate(64);
    first.close();
    var _ = block.fill((byte) 1);
    var _ = second.allocate(64);
    second.close();
  }

  @Test
  final void allocate_afterClose_isRefused() {
    Arena arena = open();
    var _ = arena.allocate(8);
    arena.close();
    for (long size : new long[] {0, 1, 8, 4096, 1L << 30}) {
      assertThatThrownBy(() -> arena.allocate(size))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Already closed");
    }
  }

  // ---- arguments ----

  @Test
  final void badSize_isRefused() {
    try (Arena arena = open()) {
      for (long size : new long[] {-1, -8, Long.MIN_VALUE, Integer.MIN_VALUE}) {
        assertThatThrownBy(() -> arena.allocate(size, 8))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
    }
  }

  @Test
  final void badAlignment_isRefused() {
    try (Arena arena = open()) {
      for (long alignment : new long[] {0, -1, -8, 3, 24, Long.MIN_VALUE, Long.MAX_VALUE}) {
        for (long size : new long[] {0, 8}) {
          assertThatThrownBy(() -> arena.allocate(size, alignment))
              .as("alignment %d, size %d", alignment, size)
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    }
  }

  @Test
  final void badArguments_areSeenBeforeTheStateOfTheArena() {
    Arena arena = open();
    arena.close();
    assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> arena.allocate(8, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  final void hugeSizes_areRefusedAsMemory_andTheArenaGoesOn() {
    try (Arena arena = open()) {
      for (long size : new long[] {1L << 50, 1L << 62, Long.MAX_VALUE - 100, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> arena.allocate(size, 1))
            .as("size %d", size)
            .isInstanceOf(OutOfMemoryError.class);
      }
      assertThat(arena.allocate(8).get(JAVA_LONG, 0)).isZero();
    }
  }

  // ---- memory ----

  @Test
  final void sizes_areExact() {
    try (Arena arena = open()) {
      for (long size = 0; size < 300; size++) {
        MemorySegment block = arena.allocate(size, 1);
        assertThat(block.byteSize()).isEqualTo(size);
        assertThat(block.isNative()).isTrue();
        assertThat(block.isReadOnly()).isFalse();
        assertThatThrownBy(() -> block.get(JAVA_BYTE, block.byteSize()))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
    }
  }

  @Test
  final void addresses_areDistinct_forEmptySegmentsToo() {
    try (Arena arena = open()) {
      Set<Long> addresses = new HashSet<>();
      for (int i = 0; i < 1000; i++) {
        assertThat(addresses.add(arena.allocate(i % 3 == 0 ? 0 : 1, 1).address())).isTrue();
      }
    }
  }

  @Test
  final void memory_isZero_afterOthersHaveWrittenToIt() {
    for (int round = 0; round < 20; round++) {
      try (Arena arena = open()) {
        for (long size : new long[] {1, 8, 100, 5000, 70_000, 300_000}) {
          MemorySegment block = arena.allocate(size);
          assertThat(Contents.mismatch(block.asSlice(0, Math.min(size, 16384)), (byte) 0))
              .isEqualTo(-1);
          assertThat(block.get(JAVA_BYTE, size - 1)).isZero();
          var _ = block.fill((byte) 0xff);
        }
      }
    }
  }

  @Test
  final void alignment_upToRootChunkAndBeyond() {
    try (Arena arena = open()) {
      for (long alignment = 1; alignment <= mostAlignmentBytes(); alignment <<= 1) {
        for (long size : new long[] {0, 1, 24}) {
          MemorySegment block = arena.allocate(size, alignment);
          assertThat(block.address() % alignment).isZero();
          var _ = block.fill((byte) 1);
        }
      }
    }
  }

  @Test
  final void defaultAlignment_isOne_andThatOfLayoutsIsTheirs() {
    try (Arena arena = open()) {
      assertThat(arena.allocate(5).byteSize()).isEqualTo(5);
      MemoryLayout layout = MemoryLayout.structLayout(JAVA_LONG, JAVA_INT).withByteAlignment(256);
      MemorySegment block = arena.allocate(layout);
      assertThat(block.address() % 256).isZero();
      assertThat(block.byteSize()).isEqualTo(12);
      assertThat(arena.allocate(JAVA_INT, 7).byteSize()).isEqualTo(28);
    }
  }

  // ---- what SegmentAllocator builds upon allocate ----

  @Test
  final void allocateFrom_copiesStringsArraysAndValues() {
    try (Arena arena = open()) {
      assertThat(arena.allocateFrom("Zürich €").getString(0)).isEqualTo("Zürich €");
      assertThat(arena.allocateFrom("").byteSize()).isEqualTo(1);
      assertThat(arena.allocateFrom(JAVA_INT, 1, 2, 3).toArray(JAVA_INT)).containsExactly(1, 2, 3);
      assertThat(arena.allocateFrom(JAVA_LONG, 42).get(JAVA_LONG, 0)).isEqualTo(42);
      assertThat(arena.allocateFrom(JAVA_BYTE, new byte[0]).byteSize()).isZero();
      MemorySegment pointer = arena.allocateFrom(ADDRESS, MemorySegment.ofAddress(77));
      assertThat(pointer.get(ADDRESS, 0).address()).isEqualTo(77);
      MemorySegment source = MemorySegment.ofArray(new int[] {5, 6, 7, 8});
      assertThat(arena.allocateFrom(JAVA_INT, source, JAVA_INT, 4, 2).toArray(JAVA_INT))
          .containsExactly(6, 7);
    }
  }

  // ---- threads ----

  @Test
  final void otherThread_mayOrMayNot() throws Exception {
    try (Arena arena = open()) {
      MemorySegment block = arena.allocate(64);
      Throwable[] thrown = {
        thrownElsewhere(() -> arena.allocate(8)),
        thrownElsewhere(() -> arena.allocate(1 << 20)),
        thrownElsewhere(() -> block.get(JAVA_BYTE, 0))
      };
      for (Throwable each : thrown) {
        if (isConfined()) {
          assertThat(each).isInstanceOf(WrongThreadException.class);
        } else {
          assertThat(each).isNull();
        }
      }
      assertThat(block.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {})))
          .isEqualTo(!isConfined());
    }
  }

  @Test
  final void close_byOtherThread_mayOrMayNot() throws Exception {
    Arena arena = open();
    MemorySegment block = arena.allocate(64);
    Throwable thrown = thrownElsewhere(arena::close);
    if (isConfined()) {
      assertThat(thrown).isInstanceOf(WrongThreadException.class);
      assertThat(arena.scope().isAlive()).isTrue();
      var _ = block.fill((byte) 1);
      var _ = arena.allocate(8);
      arena.close();
    } else {
      assertThat(thrown).isNull();
      assertThat(arena.scope().isAlive()).isFalse();
    }
  }

  @Test
  final void closedArena_isRefusedForOtherThreadsToo() throws Exception {
    Arena arena = open();
    arena.close();
    Throwable thrown = thrownElsewhere(() -> arena.allocate(8));
    assertThat(thrown)
        .isInstanceOf(isConfined() ? WrongThreadException.class : IllegalStateException.class);
    assertThat(thrownElsewhere(arena::close))
        .isInstanceOf(isConfined() ? WrongThreadException.class : IllegalStateException.class);
  }

  @Test
  final void virtualThread_isAnOwnerLikeAnyOther() throws Exception {
    Throwable[] thrown = new Throwable[1];
    Thread.ofVirtual()
        .start(() -> {
          try (Arena arena = open()) {
            MemorySegment block = arena.allocate(100).fill((byte) 3);
            Thread.sleep(1);
            assertThat(arena.allocate(100).get(JAVA_BYTE, 0)).isZero();
            assertThat(block.get(JAVA_BYTE, 99)).isEqualTo((byte) 3);
          } catch (Throwable e) {
            thrown[0] = e;
          }
        })
        .join();
    assertThat(thrown[0]).isNull();
  }

  static @Nullable Throwable thrownElsewhere(Runnable action) throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread.ofPlatform()
        .start(() -> {
          try {
            action.run();
          } catch (Throwable e) {
            thrown[0] = e;
          }
        })
        .join();
    return thrown[0];
  }
}
