package dev.arenal.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.supply.Claim;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commits that need several calls to the kernel, and a Java heap that is full in one of them. */
@Timeout(60)
final class ReservationFaultTest {
  private static final long GRANULE = 64 * 1024;
  private static final int COUNT = 16;

  @Test
  void heapFull_atOnePlace_changesNothing() {
    assertThat(FaultSweep.everyPlace(Scattered.class, Fault.HEAP, 1)).isGreaterThan(COUNT / 2);
  }

  @Test
  void heapFull_fromOnePlaceOn_changesNothing() {
    assertThat(FaultSweep.fromEveryPlace(Scattered.class, Fault.HEAP, 1)).isGreaterThan(COUNT / 2);
  }

  @Test
  void heapFull_asAddressesAreExcluded_releasesNoneOfThem() {
    assertThat(FaultSweep.everyPlace(Excluding.class, Fault.HEAP, 1)).isGreaterThan(1);
  }

  /** The addresses may be another owner's by then: the harness does not let them go back twice. */
  @ParameterizedTest
  @EnumSource(names = {"STACK", "LINKAGE", "HEAP"})
  void errorInRelease_releasesNothingTwice(Fault fault) {
    assertThat(FaultSweep.everyPlace(Releasing.class, fault, 1)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"STACK", "LINKAGE", "HEAP"})
  void errorInRelease_discardsNothingAfterIt(Fault fault) {
    assertThat(FaultSweep.everyPlace(ReleasingThenDiscarding.class, fault, 1)).isPositive();
  }

  /** Of the real kernel. */
  public static class Releasing implements FaultProgram {
    private final Budget budget = Budget.limitedTo("b", COUNT * GRANULE);
    private @Nullable Reservation reservation;

    /** For the sweep. */
    public Releasing() {}

    @Override
    public final void prepare() {
      try {
        OperatingSystem os = OperatingSystem.current();
        reservation =
            Reservation.reserve(os, COUNT * GRANULE, GRANULE, GRANULE, false, Ledger.of(budget));
      } catch (ReserveFailedException e) {
        throw new AssertionError(e);
      }
      assertThat(reservation.commit(0, GRANULE)).isEqualTo(GRANULE);
    }

    @Override
    public final void operate() {
      assertThat(Objects.requireNonNull(reservation).release()).isZero();
    }

    @Override
    public final void check(@Nullable Throwable thrown) {
      end(Objects.requireNonNull(reservation));
      assertThat(budget.committedBytes()).isZero();
    }

    void end(Reservation reservation) {
      assertThat(reservation.release()).isZero();
    }
  }

  /** As an owner that is damaged ends. */
  public static final class ReleasingThenDiscarding extends Releasing {
    /** For the sweep. */
    public ReleasingThenDiscarding() {}

    @Override
    void end(Reservation reservation) {
      reservation.discardAll();
    }
  }

  /** Two ranges whose addresses another mapping of the program may have by now. */
  public static final class Excluding implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", COUNT * GRANULE);
    private @Nullable Reservation reservation;

    /** For the sweep. */
    public Excluding() {}

    @Override
    public void prepare() {
      try {
        reservation =
            Reservation.reserve(os, COUNT * GRANULE, GRANULE, GRANULE, false, Ledger.of(budget));
      } catch (ReserveFailedException e) {
        throw new AssertionError(e);
      }
      assertThat(reservation.commit(0, GRANULE)).isEqualTo(GRANULE);
      os.failAlways(Call.MOVE, Errno.ENOTRECOVERABLE);
      long base = reservation.baseAddress();
      for (long to : new long[] {9, 4}) {
        assertThat(os.move(base, GRANULE, base + to * GRANULE)).isNegative();
      }
    }

    @Override
    public void operate() {
      Reservation excluding = Objects.requireNonNull(reservation);
      excluding.exclude(9 * GRANULE, GRANULE);
      excluding.exclude(4 * GRANULE, GRANULE);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown).isNull();
      assertThat(Objects.requireNonNull(reservation).release()).isZero();
      assertThat(budget.committedBytes()).isZero();
      os.assertNoComplaints();
    }
  }

  /** Every other granule is committed, so that each of the others is a call. */
  public static final class Scattered implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", 2 * COUNT * GRANULE);
    private @Nullable Reservation reservation;

    /** For the sweep. */
    public Scattered() {}

    @Override
    public void prepare() {
      try {
        reservation =
            Reservation.reserve(os, COUNT * GRANULE, GRANULE, GRANULE, true, Ledger.of(budget));
      } catch (ReserveFailedException e) {
        throw new AssertionError(e);
      }
      for (int i = 0; i < COUNT; i += 2) {
        assertThat(reservation().commit(i * GRANULE, GRANULE)).isEqualTo(GRANULE);
      }
    }

    private Reservation reservation() {
      return Objects.requireNonNull(reservation);
    }

    @Override
    public void operate() {
      assertThat(reservation().commit(0, COUNT * GRANULE)).isEqualTo(COUNT / 2 * GRANULE);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      long committedBytes = (thrown == null ? COUNT : COUNT / 2) * GRANULE;
      assertThat(reservation().committedBytes()).isEqualTo(committedBytes);
      assertThat(budget.committedBytes()).isEqualTo(committedBytes);
      // A change that the undo had no heap for is undone by the next commit.
      assertThat(give(2)).isEqualTo(GRANULE);
      assertThat(reservation().commit(2 * GRANULE, GRANULE)).isEqualTo(GRANULE);
      assertThat(os.accessibleBytes()).isEqualTo(committedBytes);
      assertThat(reservation().commit(0, COUNT * GRANULE))
          .isEqualTo(COUNT * GRANULE - committedBytes);
      assertThat(os.accessibleBytes()).isEqualTo(COUNT * GRANULE);
      os.assertNoComplaints();
      assertThat(reservation().release()).isZero();
      assertThat(budget.committedBytes()).isZero();
      os.assertNothingMapped();
    }

    private long give(int granule) {
      Claim ranges = new Claim();
      ranges.add(reservation().baseAddress() + granule * GRANULE, GRANULE);
      assertThat(ranges.discard(os, CommitMode.PROTECT)).isEqualTo(GRANULE);
      return reservation().uncommitted(granule * GRANULE, GRANULE);
    }
  }
}
