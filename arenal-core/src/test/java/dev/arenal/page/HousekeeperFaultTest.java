package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.stats.Await;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that keeps house survives a full Java heap, wherever it meets it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousekeeperFaultTest {
  @Test
  void fullHeap_inTheThread_delaysWhatGoesBack_andNothingElse() {
    assertThat(FaultSweep.everyPlaceOfOthers(IdleMemory.class, Fault.HEAP, 7)).isGreaterThan(5);
  }

  @Test
  void fullHeap_asSomethingGrows() {
    assertThat(FaultSweep.everyPlaceOfOthers(IdleMemory.class, Fault.GROWTH, 1)).isZero();
  }

  /** Memory that is to go back by itself. */
  public static final class IdleMemory implements FaultProgram {
    private final Budget budget = Budget.unlimited("idle");
    private @Nullable PageAllocator allocator;

    /** For the sweep. */
    public IdleMemory() {}

    @Override
    public void prepare() {
      PageAllocator pages =
          PageAllocator.builder("pages")
              .capacityBytes(64 << 20)
              .uncommitDelay(Duration.ofMillis(5))
              .budget(budget)
              .build();
      allocator = pages;
      pages.allocate(4 << 20, PageAge.SHORT_LIVED).close();
    }

    @Override
    public void operate() throws InterruptedException {
      for (int i = 0; i < 20 && budget.committedBytes() > 0; i++) {
        Thread.sleep(10);
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      PageAllocator pages = Objects.requireNonNull(allocator);
      Await.until(() -> budget.committedBytes() == 0);
      pages.state().verify();
      pages.close();
    }
  }
}
