package dev.arenal.supply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.reserve.ReserveFailedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ClaimTest {
  private static final long PAGE = 4096;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();

  @AfterEach
  void nothingIsLeft() {
    os.assertNoComplaints();
    os.assertNothingMapped();
  }

  @Test
  void neighbours_becomeOneRange() {
    Claim ranges = new Claim();
    ranges.add(10 * PAGE, PAGE);
    ranges.add(11 * PAGE, 2 * PAGE);
    ranges.add(14 * PAGE, PAGE);
    assertThat(ranges.count()).isEqualTo(2);
    assertThat(ranges.totalBytes()).isEqualTo(4 * PAGE);
    ranges.add(8 * PAGE, PAGE);
    ranges.add(6 * PAGE, 2 * PAGE); // from the highest down
    assertThat(ranges.count()).isEqualTo(3);
    assertThat(ranges.address(0)).isEqualTo(10 * PAGE);
    assertThat(ranges.sizeBytes(0)).isEqualTo(3 * PAGE);
    assertThat(ranges.address(2)).isEqualTo(6 * PAGE);
    assertThat(ranges.sizeBytes(2)).isEqualTo(3 * PAGE);
  }

  @Test
  void manyRanges_goInOneCall() {
    long base = os.reserve(200 * PAGE, true);
    Claim ranges = new Claim();
    for (int i = 0; i < 100; i++) {
      ranges.add(base + 2L * i * PAGE, PAGE);
    }
    assertThat(ranges.count()).isEqualTo(100);
    assertThat(ranges.discard(os, CommitMode.DISCARD)).isEqualTo(100 * PAGE);
    assertThat(os.callCount(Call.DISCARD)).isEqualTo(1);
    assertThat(os.release(base, 200 * PAGE)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void span_goesAsOneRange_andCountsWhatIsCommittedInIt(CommitMode mode) throws Exception {
    Reservation reservation = reservationOfPages(mode, 0, 3, 4, 8);
    Claim claim = new Claim();
    claim.addSpan(reservation.baseAddress(), 8 * PAGE, 3 * PAGE);
    claim.add(reservation.baseAddress() + 8 * PAGE, PAGE);
    assertThat(claim.count()).isEqualTo(1);
    assertThat(claim.sizeBytes(0)).isEqualTo(9 * PAGE);
    assertThat(claim.totalBytes()).isEqualTo(4 * PAGE);
    assertThat(claim.discard(os, mode)).isEqualTo(4 * PAGE);
    assertThat(claim.settleDiscarded(address -> reservation)).isEqualTo(4 * PAGE);
    assertThat(reservation.committedBytes()).isZero();
    assertThat(reservation.release()).isZero();
  }

  /** One that is refused keeps none of the others, before it or behind it. */
  @ParameterizedTest
  @EnumSource
  void refusedRange_staysCommitted_andAllOthersAreGone(CommitMode mode) throws Exception {
    Reservation reservation = reservationOfPages(mode, 0, 3, 6, 8, 12);
    long base = reservation.baseAddress();
    Claim claim = new Claim();
    claim.addSpan(base, 4 * PAGE, 2 * PAGE);
    claim.addSpan(base + 5 * PAGE, 4 * PAGE, 2 * PAGE);
    claim.add(base + 12 * PAGE, PAGE);
    os.refuseToTake(base + 8 * PAGE, PAGE);
    assertThat(claim.discard(os, mode)).isEqualTo(3 * PAGE);
    os.refuseToTake(0, 0);
    assertThat(claim.settleDiscarded(address -> reservation)).isEqualTo(3 * PAGE);
    assertThat(reservation.committedBytes()).isEqualTo(2 * PAGE);
    assertThat(reservation.isCommitted(6 * PAGE)).isTrue();
    assertThat(reservation.isCommitted(8 * PAGE)).isTrue();
    assertThat(claim.isGone(0)).isTrue();
    assertThat(claim.isGone(1)).isFalse();
    assertThat(claim.isGone(2)).isTrue();
    assertThat(reservation.release()).isZero();
  }

  private Reservation reservationOfPages(CommitMode mode, int... committedPages)
      throws ReserveFailedException {
    Reservation reservation =
        Reservation.reserve(
            os,
            16 * PAGE,
            PAGE,
            PAGE,
            mode == CommitMode.PROTECT,
            Ledger.of(Budget.limitedTo("b", 16 * PAGE)));
    for (int page : committedPages) {
      assertThat(reservation.commit(page * PAGE, PAGE)).isEqualTo(PAGE);
    }
    return reservation;
  }

  @Test
  void refusedBatch_countsAsNothing() {
    long base = os.reserve(8 * PAGE, true);
    Claim ranges = new Claim();
    ranges.add(base, PAGE);
    ranges.add(base + 2 * PAGE, PAGE);
    os.failAlways(Call.DISCARD, Errno.EAGAIN);
    assertThat(ranges.discard(os, CommitMode.DISCARD)).isZero();
    os.succeed();
    assertThat(ranges.discard(os, CommitMode.DISCARD)).isEqualTo(2 * PAGE);
    assertThat(os.release(base, 8 * PAGE)).isZero();
  }

  /** A range that goes may free the mapping that the one before it lacked. */
  @Test
  void refusedRevoke_isTriedAgain_onceOthersHaveGone() {
    long base = os.reserve(8 * PAGE, false);
    assertThat(os.allow(base, 8 * PAGE)).isZero();
    Claim ranges = new Claim();
    ranges.add(base, PAGE);
    ranges.add(base + 2 * PAGE, 2 * PAGE);
    ranges.add(base + 5 * PAGE, PAGE);
    os.failCalls(2, 1, Errno.ENOMEM);
    assertThat(ranges.discard(os, CommitMode.PROTECT)).isEqualTo(4 * PAGE);
    assertThat(os.failureCount()).isEqualTo(1);
    os.succeed();
    assertThat(os.release(base, 8 * PAGE)).isZero();
  }
}
