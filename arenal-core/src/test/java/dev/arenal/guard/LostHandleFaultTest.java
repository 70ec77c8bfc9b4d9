package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import dev.arenal.pretouch.Pretouch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handle that is lost on a full Java heap is closed all the same, a little later. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LostHandleFaultTest {
  @Test
  void lostSpace_givesItsMemoryBack() {
    assertThat(FaultSweep.everyPlaceOfOthers(Space.class, Fault.HEAP, 1)).isPositive();
  }

  @Test
  void lostAllocator_givesItsMemoryBack() {
    assertThat(FaultSweep.everyPlaceOfOthers(Allocator.class, Fault.HEAP, 7)).isPositive();
  }

  @Tag("soak")
  @Test
  void lostAllocator_givesItsMemoryBack_whereverItFails() {
    assertThat(FaultSweep.everyPlaceOfOthers(Allocator.class, Fault.HEAP, 1)).isPositive();
  }

  /** A space that is no longer reachable. */
  public static final class Space extends Lost {
    /** For the sweep. */
    public Space() {}

    @Override
    void lose(Budget budget) {
      var _ = ElasticSpace.builder("lost").budget(budget).pretouch(Pretouch.upTo(MIB)).build();
    }
  }

  /** An allocator that is no longer reachable. */
  public static final class Allocator extends Lost {
    /** For the sweep. */
    public Allocator() {}

    @Override
    void lose(Budget budget) {
      var _ =
          PageAllocator.builder("pages")
              .capacityBytes(16 * MIB)
              .budget(budget)
              .pretouch(Pretouch.upTo(MIB))
              .build();
    }
  }

  /** Something with memory that counts against a budget. */
  abstract static class Lost implements FaultProgram {
    static final long MIB = 1 << 20;

    private final Budget budget = Budget.unlimited("lost");

    abstract void lose(Budget budget);

    @Override
    public void prepare() {
      lose(budget);
      assertThat(budget.committedBytes()).isPositive();
    }

    @Override
    public void operate() throws InterruptedException {
      await(Duration.ofSeconds(2));
      Thread.sleep(10); // the warning comes after that
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      try {
        await(Duration.ofSeconds(20));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertThat(budget.committedBytes()).isZero();
    }

    private void await(Duration patience) throws InterruptedException {
      long startNanos = System.nanoTime();
      while (budget.committedBytes() > 0 && System.nanoTime() - startNanos < patience.toNanos()) {
        System.gc();
        Thread.sleep(20); // collections without a pause take both processors from other tests
      }
    }
  }
}
