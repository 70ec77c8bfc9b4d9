package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory that is there from the beginning, and what happens where it is refused. */
final class PretouchTest {
  private static final String NOTHING_KNOWN =
      ", availableBytes=none, memAvailableBytes=none, memTotalBytes=none,"
          + " addressSpaceLimitBytes=none, addressSpaceUsedBytes=0, overcommitMode=0,"
          + " commitLimitBytes=none, commitUsedBytes=0";

  @RegisterExtension private final Supplies supplies = new Supplies();

  @ParameterizedTest
  @EnumSource
  void pretouchedMemory_isCachedAndZero(CommitMode mode) {
    supplies.mode = mode;
    supplies.capacityBytes = 256 * MIB;
    supplies.pretouchBytes = 100 * MIB - 1;
    PageSupply supply = supplies.open();
    assertThat(supply.figures().cachedBytes()).isEqualTo(100 * MIB);
    assertThat(supplies.budget.committedBytes()).isEqualTo(100 * MIB);
    assertThat(supplies.os.callCount(Call.POPULATE)).isEqualTo(13);
    PageMemory page = supply.tryTake(PageKind.LARGE, 100 * MIB, 0);
    assertThat(page).isNotNull().matches(taken -> taken.isZero);
    assertThat(supply.statistics().misses.get()).isZero();
  }

  @Test
  void moreThanTheCapacity_isTheCapacity() {
    supplies.pretouchBytes = 1000 * MIB;
    assertThat(supplies.open().figures().cachedBytes()).isEqualTo(64 * MIB);
  }

  @Test
  void piecesOfAddresses_areFilledOneAfterTheOther() {
    supplies.largestReservationBytes = 6 * MIB;
    supplies.pretouchBytes = 20 * MIB;
    assertThat(supplies.open().figures().cachedBytes()).isEqualTo(20 * MIB);
  }

  @Test
  void budgetThatIsTooSmall_isToldWithFigures() {
    supplies.budget = Budget.limitedTo("b", 10 * MIB);
    supplies.pretouchBytes = 12 * MIB;
    assertThatThrownBy(supplies::open)
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "pretouch refused, limited by the budget: allocator=test, wantedBytes=12582912"
                + NOTHING_KNOWN
                + ", budget=b, budgetLimitBytes=10485760, budgetCommittedBytes=0 (nothing was"
                + " touched: ask for less, free some memory or raise the limit; Pretouch.forced()"
                + " skips this check)");
  }

  /** Reserving, allowing and populating refused in turn: a supply that is built, or no trace. */
  @ParameterizedTest
  @EnumSource
  void everyCallRefusedInTurn_leavesNothing(CommitMode mode) {
    supplies.mode = mode;
    supplies.capacityBytes = 128 * MIB;
    supplies.pretouchBytes = 128 * MIB;
    int refusedCount = 0;
    for (int call = 1; call < 60; call++) {
      supplies.os.failCalls(call, 1, Errno.ENOMEM);
      try {
        supplies.open().verify();
      } catch (OutOfMemoryError e) {
        assertThat(e)
            .hasMessageMatching(
                "pretouch failed: allocator=test, wantedBytes=134217728, touchedBytes=\\d+,"
                    + " errno=ENOMEM \\(12\\)"
                    + NOTHING_KNOWN
                    + " \\(the operating system gives no more memory; what was taken has gone"
                    + " back\\)");
        refusedCount++;
      }
      supplies.finish();
    }
    assertThat(refusedCount).isEqualTo(mode == CommitMode.DISCARD ? 16 : 32);
  }

  @Test
  void addressesThatAreRefused_areToldWithFigures() {
    supplies.os.failAlways(Call.RESERVE, Errno.ENOMEM);
    assertThatThrownBy(supplies::open)
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "address space refused: allocator=test, capacityBytes=67108864, reservedBytes=0,"
                + " errno=ENOMEM (12) (see ulimit -v and vm.overcommit_memory, or ask for less)");
    assertThat(supplies.os.callCount(Call.RESERVE)).isLessThan(20);
  }

  @Test
  void capacityBeyondAllAddresses_isRefused() {
    OperatingSystem real = OperatingSystem.current();
    for (long capacityBytes : new long[] {Long.MAX_VALUE, 1L << 50}) {
      supplies.capacityBytes = capacityBytes;
      assertThatThrownBy(() -> PageAddresses.reserve(supplies.settings(real)))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageStartingWith(
              "address space refused: allocator=test, capacityBytes=" + capacityBytes);
    }
  }

  @Test
  void close_thatIsRefused_canBeRepeated() {
    PageSupply supply = supplies.open();
    supplies.os.failAlways(Call.RELEASE, Errno.EINVAL);
    assertThatThrownBy(supply::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "address space was not given back: allocator=test, reservedBytes=268435456,"
                + " errno=EINVAL (22) (close the allocator again)");
    supplies.os.succeed();
    supply.close();
    assertThat(supplies.os.mappedBytes()).isZero();
  }
}
