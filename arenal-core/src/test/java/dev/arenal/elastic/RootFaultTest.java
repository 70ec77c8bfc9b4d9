package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.chunk.RootCount;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small arenas come until another root is taken into use; a full Java heap is no damage there. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RootFaultTest {
  @Test
  void fullHeap_asAnotherRootIsTakenIntoUse_isNoDamage() {
    assertThat(FaultSweep.everyPlace(AnotherRoot.class, Fault.HEAP, 1)).isGreaterThan(20);
    assertThat(FaultSweep.everyPlace(AnotherRoot.class, Fault.GROWTH, 1)).isZero();
  }

  /** The rest of the first root is used up by small arenas; the next of them need another one. */
  public static final class AnotherRoot implements FaultProgram {
    private static final int ROOT_BYTES = 16 << 20;
    private static final int LEFT_BYTES = 512 << 10;

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("faulty", 64 << 20);
    private final List<ElasticArena> arenas = new ArrayList<>();
    private @Nullable ElasticSpace space;
    private int countRootsBefore;

    /** For the sweep. */
    public AnotherRoot() {}

    @Override
    public void prepare() {
      ElasticSpace built =
          ElasticSpace.builder("faulty").operatingSystem(os).budget(budget).build();
      space = built;
      for (int bytes = ROOT_BYTES / 2; bytes >= LEFT_BYTES; bytes /= 2) {
        ElasticArena large = built.openConfined("large", ArenaGrowth.STANDARD);
        arenas.add(large);
        use(large, bytes);
      }
      while (freeBytes(built) > 32 << 10) {
        openSmall(built);
      }
      countRootsBefore = rootCount();
    }

    @Override
    public void operate() {
      ElasticSpace built = Objects.requireNonNull(space);
      for (int i = 0; i < 12; i++) {
        openSmall(built);
      }
    }

    private void openSmall(ElasticSpace built) {
      ElasticArena arena = built.openConfined();
      arenas.add(arena);
      use(arena, 1024);
      use(arena, 1024);
    }

    private static long freeBytes(ElasticSpace built) {
      return ROOT_BYTES - built.report().total().capacityBytes();
    }

    private int rootCount() {
      return RootCount.of(((ChunkedArena) arenas.getFirst()).space.nodes);
    }

    private static void use(ElasticArena arena, long sizeBytes) {
      assertThat(arena.allocate(sizeBytes).byteSize()).isEqualTo(sizeBytes);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof OutOfMemoryError).isTrue();
      assertThat(countRootsBefore).isEqualTo(1);
      assertThat(rootCount() > countRootsBefore || thrown != null).as("another root").isTrue();
      ElasticSpace built = Objects.requireNonNull(space);
      built.verify();
      openSmall(built);
      arenas.forEach(ElasticArena::close);
      TestSpaces.closeAll(new ArrayList<>(List.of(built)), os);
    }
  }
}
