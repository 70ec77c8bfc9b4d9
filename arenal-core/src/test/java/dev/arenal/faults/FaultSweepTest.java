package dev.arenal.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.os.OperatingSystem;
import dev.arenal.reserve.Ledger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The harness itself: does it reach the library, and would it find something? */
final class FaultSweepTest {
  @Test
  void everyCreationOfAnOperation_failsOnce() {
    long places = FaultSweep.everyPlace(TwoBudgets.class, Fault.HEAP, 1);

    assertThat(places).isGreaterThanOrEqualTo(2);
  }

  @Test
  void everyCallOfAnOperation_failsOnce() {
    long places = FaultSweep.everyPlace(TwoBudgets.class, Fault.STACK, 1);

    assertThat(places).isGreaterThanOrEqualTo(2);
  }

  /** The set of threads that ask reclaimers. */
  @Test
  void everyGrowthOfAnOperation_failsOnce() {
    assertThat(FaultSweep.everyPlace(Reclaiming.class, Fault.GROWTH, 1)).isEqualTo(1);
  }

  @Test
  void programWhoseCheckFails_isReportedWithItsPlace() {
    assertThatThrownBy(() -> FaultSweep.everyPlace(HalfDone.class, Fault.HEAP, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching(
            "program=HalfDone, failed at place=\\d+, thrown=java.lang.OutOfMemoryError: made by a"
                + " test \\(repeat with -Dtest.seed=\\d+\\)");
  }

  /** The canary of {@link KernelNotes}: else a JVM might end in it. */
  @Test
  void addressesThatGoBackTwice_areReported_andStay() {
    assertThatThrownBy(() -> FaultSweep.everyPlace(GivingBackTwice.class, Fault.HEAP, 1))
        .hasRootCauseInstanceOf(AssertionError.class)
        .rootCause()
        .hasMessageMatching(
            "call to the kernel about memory of another owner: call=munmap,"
                + " address=0x[0-9a-f]+, sizeBytes=65536, loader=\\d+, thread=[^ ]+ \\(expected"
                + " addresses that this loader's library has mapped\\)");
  }

  @Test
  void drawnPlaces_areSpreadOverTheOperation() {
    assertThat(FaultSweep.drawnPlaces(TwoBudgets.class, Fault.STACK, 2))
        .isBetween(1L, FaultSweep.everyPlace(TwoBudgets.class, Fault.STACK, 1) * 2);
  }

  /** Whatever the library does with the error. */
  public static final class GivingBackTwice implements FaultProgram {
    /** For the sweep. */
    public GivingBackTwice() {}

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      OperatingSystem os = OperatingSystem.current();
      long address = os.reserve(1 << 16, true);
      assertThat(os.release(address, 1 << 16)).isZero();
      try {
        var _ = os.release(address, 1 << 16);
      } catch (AssertionError e) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {}
  }

  /** Two objects of the library; how many there are must not matter. */
  public static class TwoBudgets implements FaultProgram {
    @Nullable Budget first;
    @Nullable Budget second;

    /** For the sweep. */
    public TwoBudgets() {}

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      first = Budget.limitedTo("first", 1 << 20);
      second = Budget.limitedTo("second", 1 << 20);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(second != null).isEqualTo(thrown == null);
    }
  }

  /** Adds to a concurrent set. */
  public static final class Reclaiming implements FaultProgram {
    private final Budget budget = Budget.unlimited("reclaiming");
    private final LongSupplier reclaimer = Reclaiming::something; // the budget holds it weakly

    /** For the sweep. */
    public Reclaiming() {}

    private static long something() {
      return 8;
    }

    @Override
    public void prepare() {
      Ledger.of(budget).addReclaimer(reclaimer);
    }

    @Override
    public void operate() {
      assertThat(budget.reclaim()).isEqualTo(8);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(budget.reclaim()).as("asked again").isEqualTo(8);
    }
  }

  /** The canary: takes half of what it did for an error. */
  public static final class HalfDone extends TwoBudgets {
    /** For the sweep. */
    public HalfDone() {}

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(first != null).isEqualTo(second != null);
    }
  }
}
