package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.os.SimulatedOperatingSystem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the close of an arena ends by, its space can be closed. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CloseFaultTest {
  @Test
  void closeOfAConfinedArena_thatMeetsAClassThatIsUnusable() {
    assertThat(FaultSweep.everyPlace(Confined.class, Fault.LINKAGE, 1)).isGreaterThan(50);
  }

  @Test
  void closeOfASharedArena_thatMeetsAClassThatIsUnusable() {
    assertThat(FaultSweep.everyPlace(Shared.class, Fault.LINKAGE, 1)).isGreaterThan(50);
  }

  @Test
  void closeOfAnArena_onAFullHeap() {
    // Next to nothing: a close in a full Java heap would leave the arena open for good.
    assertThat(FaultSweep.everyPlace(Confined.class, Fault.HEAP, 1)).isBetween(1L, 2L);
    assertThat(FaultSweep.fromEveryPlace(Confined.class, Fault.HEAP, 1)).isBetween(1L, 2L);
  }

  /** The close of a confined arena. */
  public static final class Confined extends Closing {
    /** For the sweep. */
    public Confined() {}

    @Override
    ElasticArena open(ElasticSpace space) {
      return space.openConfined();
    }
  }

  /** The close of a shared arena. */
  public static final class Shared extends Closing {
    /** For the sweep. */
    public Shared() {}

    @Override
    ElasticArena open(ElasticSpace space) {
      return space.openShared();
    }
  }

  /** An arena with more than the reserve, in a space that gives memory back after a delay. */
  abstract static class Closing implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final ElasticSpace space =
        ElasticSpace.builder("closing")
            .operatingSystem(os)
            .reserveBytes(0)
            .uncommitDelay(Duration.ofHours(1))
            .build();
    private final ElasticArena arena = open(space);

    abstract ElasticArena open(ElasticSpace space);

    @Override
    public void prepare() {
      for (int i = 0; i < 10; i++) {
        assertThat(arena.allocate(50_000).byteSize()).isEqualTo(50_000);
      }
    }

    @Override
    public void operate() {
      arena.close();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      if (arena.scope().isAlive()) { // it ended before that
        assertThat(thrown).isNotNull();
        arena.close();
      }
      assertThat(space.arenaCount()).isZero();
      space.close();
      os.assertNothingMapped();
    }
  }
}
