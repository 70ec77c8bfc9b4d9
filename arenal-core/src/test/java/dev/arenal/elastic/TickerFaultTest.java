package dev.arenal.elastic;

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

/** The threads that serve all spaces survive a full Java heap, wherever they meet it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TickerFaultTest {
  @Test
  void fullHeap_inTheThreadThatUncommits_delaysWhatGoesBack_andNothingElse() {
    assertThat(FaultSweep.everyPlaceOfOthers(IdleMemory.class, Fault.HEAP, 1)).isGreaterThan(5);
  }

  @Test
  void fullHeap_asSomethingGrows() {
    assertThat(FaultSweep.everyPlaceOfOthers(IdleMemory.class, Fault.GROWTH, 1)).isZero();
  }

  /** Memory that is to go back by itself, with no thread that would ask for it again. */
  public static final class IdleMemory implements FaultProgram {
    private final Budget budget = Budget.unlimited("idle");
    private @Nullable ElasticSpace space;
    private @Nullable ElasticArena arena;

    /** For the sweep. */
    public IdleMemory() {}

    @Override
    public void prepare() {
      ElasticSpace built =
          ElasticSpace.builder("idle")
              .budget(budget)
              .reserveBytes(0)
              .uncommitDelay(Duration.ofMillis(5))
              .build();
      space = built;
      ElasticArena opened = built.openConfined();
      assertThat(opened.allocate(4 << 20).byteSize()).isPositive();
      arena = opened;
    }

    @Override
    public void operate() throws InterruptedException {
      Objects.requireNonNull(arena)
          .close(); // here, so that no tick comes before the fault is armed
      for (int i = 0; i < 20 && budget.committedBytes() > 0; i++) {
        Thread.sleep(10);
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      ElasticSpace built = Objects.requireNonNull(space);
      Await.until(() -> budget.committedBytes() == 0);
      built.verify();
      built.close();
    }
  }
}
