package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.reserve.Ledger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A thread that found the Java heap full on its way into a reclaimer is not in one for ever. */
final class BudgetFaultTest {
  @Test
  void reclaim_asksAgain_afterAFullHeap() {
    assertThat(FaultSweep.everyPlace(Asked.class, Fault.HEAP, 1)).isGreaterThan(1);
  }

  /** A budget with a reclaimer that always has something. */
  public static final class Asked implements FaultProgram {
    private final Budget budget = Budget.limitedTo("b", 100);
    private final LongSupplier reclaimer = Asked::something; // the budget holds it weakly

    /** For the sweep. */
    public Asked() {}

    private static long something() {
      return 7;
    }

    @Override
    public void prepare() {
      Ledger.of(budget).addReclaimer(reclaimer);
    }

    @Override
    public void operate() {
      assertThat(budget.reclaim()).isEqualTo(7);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(budget.reclaim()).isEqualTo(7);
    }
  }
}
