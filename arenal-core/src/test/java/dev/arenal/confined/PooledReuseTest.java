package dev.arenal.confined;

import static dev.arenal.confined.Bodies.onPlatformThread;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same memory for one arena after the other: what must not get from one to the next. */
@Timeout(60)
final class PooledReuseTest {
  private static final int SLAB_BYTES = Pool.SLAB_BYTES;

  // ---- reuse ----

  @Test
  void sameThread_getsTheSameSlab() throws Exception {
    onPlatformThread(() -> {
      long address = Slabs.addressOfBlock(1);
      assertThat(Slabs.addressOfBlock(SLAB_BYTES)).isEqualTo(address);
      assertThat(Slabs.addressOfBlock(0)).isEqualTo(address);
      assertThat(Slabs.ofCurrentThread()).hasSize(1);
      Slab slab = Slabs.ofCurrentThread().getFirst();
      assertThat(slab.address).isEqualTo(address);
      // Without a search: two loads.
      assertThat(ThreadSlabs.firstRacy(Thread.currentThread().threadId())).isSameAs(slab);
    });
  }

  @Test
  void staleSegment_doesNotReachReusedMemory() throws Exception {
    onPlatformThread(() -> {
      Arena first = PooledArena.ofConfined();
      MemorySegment stale = first.allocate(64).fill((byte) 1);
      MemorySegment staleView = stale.asSlice(8, 8).asReadOnly();
      first.close();
      try (Arena second = PooledArena.ofConfined()) {
        MemorySegment fresh = second.allocate(64);
        assertThat(fresh.address()).isEqualTo(stale.address());
        assertThat(Contents.mismatch(fresh, (byte) 0)).isEqualTo(-1);
        assertThatThrownBy(() -> stale.get(JAVA_BYTE, 0)).hasMessage("Already closed");
        assertThatThrownBy(() -> stale.set(JAVA_BYTE, 0, (byte) 2)).hasMessage("Already closed");
        assertThatThrownBy(() -> stale.fill((byte) 2)).hasMessage("Already closed");
        assertThatThrownBy(() -> staleView.get(JAVA_BYTE, 0)).hasMessage("Already closed");
        assertThatThrownBy(() -> fresh.copyFrom(stale)).hasMessage("Already closed");
        assertThatThrownBy(first::close).hasMessage("Already closed");
        assertThatThrownBy(() -> first.allocate(8)).hasMessage("Already closed");
        assertThat(Contents.mismatch(fresh, (byte) 0)).isEqualTo(-1);
        var _ = fresh.fill((byte) 3);
        assertThat(second.allocate(8).address()).isEqualTo(fresh.address() + 64);
      }
    });
  }

  @Test
  void nothingOrLargeBlocksOnly_takeNoSlab() throws Exception {
    onPlatformThread(() -> {
      PooledArena.ofConfined().close();
      try (Arena arena = PooledArena.ofConfined()) {
        var _ = arena.allocate(SLAB_BYTES + 1L).fill((byte) 1);
        var _ = arena.allocate(1 << 20);
        assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.allocate(8, 3)).isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(SlabRegistry.find(Thread.currentThread().threadId())).isNull();
    });
  }

  @Test
  void alignmentsUpToACacheLine_comeFromTheSlab() throws Exception {
    onPlatformThread(() -> {
      for (long alignment = 1; alignment <= 128; alignment <<= 1) {
        try (Arena arena = PooledArena.ofConfined()) {
          MemorySegment first = arena.allocate(1);
          MemorySegment aligned = arena.allocate(1, alignment);
          assertThat(aligned.address() % alignment).isZero();
          List<Slab> slabs = Slabs.ofCurrentThread();
          assertThat(Slabs.isIn(slabs, first)).isTrue();
          assertThat(Slabs.isIn(slabs, aligned)).as("%d", alignment).isEqualTo(alignment <= 64);
        }
      }
    });
  }

  @Test
  void arenaOfTheJdk_takesOverWhereTheSlabEnds() throws Exception {
    onPlatformThread(() -> {
      try (Arena arena = PooledArena.ofConfined()) {
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < SLAB_BYTES / 16 + 5; i++) {
          blocks.add(arena.allocate(16).fill((byte) i));
        }
        List<Slab> slabs = Slabs.ofCurrentThread();
        for (int i = 0; i < blocks.size(); i++) {
          assertThat(Slabs.isIn(slabs, blocks.get(i))).isEqualTo(i < SLAB_BYTES / 16);
          assertThat(Contents.mismatch(blocks.get(i), (byte) i)).isEqualTo(-1);
        }
      }
    });
  }

  // ---- zeroing ----

  @Test
  void everyUsedSize_isZeroed() throws Exception {
    onPlatformThread(() -> {
      long address = Slabs.addressOfBlock(1);
      Slab slab = Slabs.ofCurrentThread().getFirst();
      for (int usedBytes = 0; usedBytes <= SLAB_BYTES; usedBytes++) {
        try (Arena arena = PooledArena.ofConfined()) {
          MemorySegment block = arena.allocate(usedBytes);
          assertThat(block.address()).isEqualTo(address);
          var _ = Slabs.wholeBlock(block).fill((byte) 0xff);
        }
        assertThat(Slabs.mismatchZero(slab)).as("usedBytes=%d", usedBytes).isEqualTo(-1);
      }
    });
  }

  @Test
  void manyBlocksAndGaps_areZeroed() throws Exception {
    onPlatformThread(() -> {
      SplittableRandom random = new SplittableRandom(5);
      for (int round = 0; round < 500; round++) {
        try (Arena arena = PooledArena.ofConfined()) {
          for (int i = random.nextInt(40); i >= 0; i--) {
            MemorySegment block = arena.allocate(random.nextInt(300), 1L << random.nextInt(9));
            assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
            var _ = block.fill((byte) 0xff);
          }
        }
        assertThat(Slabs.mismatchZero(Slabs.ofCurrentThread().getFirst())).isEqualTo(-1);
      }
    });
  }

  // ---- nested and overlapping ----

  @ParameterizedTest
  @ValueSource(strings = {"012", "021", "102", "120", "201", "210"})
  void closedInAnyOrder(String order) throws Exception {
    onPlatformThread(() -> {
      Set<Long> before = new HashSet<>();
      for (int round = 0; round < 3; round++) {
        List<Arena> arenas = new ArrayList<>();
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          arenas.add(PooledArena.ofConfined());
          MemorySegment block = arenas.get(i).allocate(SLAB_BYTES);
          assertThat(Slabs.mismatchZero(Slabs.ofCurrentThread().get(i))).isEqualTo(-1);
          blocks.add(block.fill((byte) (i + 1)));
        }
        Set<Long> addresses = new HashSet<>(blocks.stream().map(MemorySegment::address).toList());
        assertThat(addresses).hasSize(3);
        if (round > 0) {
          assertThat(addresses).isEqualTo(before);
        }
        before = addresses;
        for (int digit = 0; digit < 3; digit++) {
          int closed = order.charAt(digit) - '0';
          arenas.get(closed).close();
          for (int i = 0; i < 3; i++) {
            if (arenas.get(i).scope().isAlive()) {
              assertThat(Contents.mismatch(blocks.get(i), (byte) (i + 1))).isEqualTo(-1);
            }
          }
        }
      }
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void nested_fourSlabsThenTheJdk(int depth) throws Exception {
    onPlatformThread(() -> {
      for (int round = 0; round < 3; round++) {
        List<Arena> arenas = new ArrayList<>();
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
          arenas.add(PooledArena.ofConfined());
          MemorySegment block = arenas.get(i).allocate(100);
          assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
          blocks.add(block.fill((byte) i));
        }
        List<Slab> slabs = Slabs.ofCurrentThread();
        assertThat(slabs).hasSize(Math.min(depth, ThreadSlabs.MAX_COUNT_SLABS));
        for (int i = 0; i < depth; i++) {
          assertThat(Slabs.isIn(slabs, blocks.get(i))).as("arena %d", i).isEqualTo(i < 4);
          assertThat(Contents.mismatch(blocks.get(i), (byte) i)).isEqualTo(-1);
        }
        arenas.reversed().forEach(Arena::close);
      }
    });
  }

  @Test
  void arenaThatIsNeverClosed_costsOneSlab() throws Exception {
    onPlatformThread(() -> {
      List<MemorySegment> lost = new ArrayList<>();
      for (int lostCount = 1; lostCount <= 6; lostCount++) {
        lost.add(PooledArena.ofConfined().allocate(32).fill((byte) lostCount));
        List<MemorySegment> blocks = new ArrayList<>();
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          arenas.add(PooledArena.ofConfined());
          blocks.add(arenas.getLast().allocate(32).fill((byte) 0xff));
        }
        List<Slab> slabs = Slabs.ofCurrentThread();
        assertThat(blocks.stream().filter(block -> Slabs.isIn(slabs, block)))
            .hasSize(Math.max(4 - lostCount, 0));
        arenas.forEach(Arena::close);
      }
      for (int i = 0; i < lost.size(); i++) {
        assertThat(Contents.mismatch(lost.get(i), (byte) (i + 1))).isEqualTo(-1);
      }
    });
  }
}
