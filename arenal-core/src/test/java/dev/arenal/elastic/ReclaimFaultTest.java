package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A thread that found the Java heap full as it asked others for memory does not ask for ever. */
final class ReclaimFaultTest {
  @Test
  void reserve_goesBackForOthers_afterAFullHeap() {
    assertThat(FaultSweep.everyPlace(Asking.class, Fault.HEAP, 1)).isGreaterThan(1);
  }

  /** A space whose thread asks others, as in a pretouch; then others ask it. */
  public static final class Asking implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", 64 << 20);
    private final ElasticSpace space =
        ElasticSpace.builder("asking").budget(budget).operatingSystem(os).build();
    private @Nullable SpaceState state;

    /** For the sweep. */
    public Asking() {}

    @Override
    public void prepare() {
      try (ElasticArena arena = space.openConfined()) {
        state = ((ChunkedArena) arena).space;
        assertThat(arena.allocate(100_000).byteSize()).isEqualTo(100_000);
      }
      assertThat(budget.committedBytes()).isPositive();
    }

    @Override
    public void operate() {
      Objects.requireNonNull(state).pretouch.reclaimForPretouch(0);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      long bytes = budget.committedBytes();
      assertThat(budget.reclaim()).isEqualTo(bytes);
      space.close();
      os.assertNothingMapped();
    }
  }
}
