package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A thread that found the Java heap full as it asked others for memory does not ask for ever. */
final class ReclaimFaultTest {
  @Test
  void cache_goesBackForOthers_afterAFullHeap() {
    assertThat(FaultSweep.everyPlace(Asking.class, Fault.HEAP, 1)).isGreaterThan(1);
  }

  /** An allocator whose thread asks others, then others ask it. */
  public static final class Asking implements FaultProgram {
    private static final long SIZE = 4 << 20;

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", SIZE);
    private final PageAllocator allocator =
        PageAllocator.builder("asking")
            .capacityBytes(64 << 20)
            .budget(budget)
            .operatingSystem(os)
            .build();

    /** For the sweep. */
    public Asking() {}

    @Override
    public void prepare() {
      allocator.allocate(SIZE, PageAge.SHORT_LIVED).close();
      assertThat(budget.committedBytes()).isEqualTo(SIZE);
    }

    @Override
    public void operate() {
      allocator.state().supply.reclaimOthers(SIZE, SIZE);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(budget.reclaim()).isEqualTo(SIZE);
      allocator.close();
      os.assertNothingMapped();
    }
  }
}
