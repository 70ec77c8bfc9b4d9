package dev.arenal.reserve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.supply.Claim;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ReservationTest {
  private static final long GRANULE = 16 * 1024;
  private static final int GRANULE_COUNT = 256;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final Budget budget = Budget.limitedTo("b", GRANULE_COUNT * GRANULE);

  @AfterEach
  void nothingIsLeft() {
    os.succeed();
    os.assertNoComplaints();
    os.assertNothingMapped();
    assertThat(budget.committedBytes()).isZero();
  }

  @Test
  void base_isAligned() throws ReserveFailedException {
    for (long alignment = GRANULE; alignment <= 1L << 30; alignment <<= 2) {
      Reservation reservation =
          Reservation.reserve(os, 1 << 20, alignment, GRANULE, false, Ledger.of(budget));
      assertThat(reservation.baseAddress() % alignment).isZero();
      assertThat(reservation.release()).isZero();
    }
  }

  @Test
  void refusedCommit_keepsNoHeap() throws ReserveFailedException {
    Reservation reservation =
        Reservation.reserve(
            os, 1L << 36, 4096, 4096, false, Ledger.of(Budget.limitedTo("b", 1 << 20)));
    long metadataBytes = reservation.metadataBytes();
    assertThat(reservation.commit(0, 1L << 36)).isEqualTo(Reservation.REFUSED_BY_BUDGET);
    assertThat(reservation.metadataBytes()).isEqualTo(metadataBytes);
    assertThat(reservation.release()).isZero();
  }

  /** A program may still read and write there. */
  @Test
  void addressesThatStayMapped_areNotReleasedLater() throws ReserveFailedException {
    Reservation reservation =
        Reservation.reserve(os, 8 * GRANULE, 4096, GRANULE, false, Ledger.of(budget));
    assertThat(reservation.commit(0, 3 * GRANULE)).isEqualTo(3 * GRANULE);
    reservation.discardAll();
    assertThat(budget.committedBytes()).isZero();
    assertThat(os.callCount(Call.DISCARD)).isEqualTo(1);
    assertThat(reservation.release()).isZero();
    assertThat(os.callCount(Call.RELEASE)).isZero();
    assertThat(os.release(reservation.baseAddress(), 8 * GRANULE + 4096)).isZero();
  }

  @Test
  void countThatAnotherHas_isLeft_andNoMore() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.commit(0, 2 * GRANULE)).isEqualTo(2 * GRANULE);
    assertThat(reservation.leaveCount(GRANULE)).isEqualTo(GRANULE);
    assertThat(reservation.leaveCount(3 * GRANULE)).isEqualTo(GRANULE);
    Ledger.of(budget).uncommit(2 * GRANULE);
    assertThat(reservation.release()).isZero();
  }

  @Test
  void sizesThatOverflow_areRefused() {
    assertThatThrownBy(() ->
            Reservation.reserve(os, Long.MAX_VALUE, 1 << 24, GRANULE, false, Ledger.of(budget)))
        .isInstanceOf(ReserveFailedException.class)
        .hasMessage("address space refused: sizeBytes=" + Long.MAX_VALUE)
        .extracting(e -> ((ReserveFailedException) e).errno())
        .isEqualTo((long) -Errno.ENOMEM);
  }

  @ParameterizedTest
  @EnumSource
  void drawnCommitsAndUncommits_agreeWithModel(CommitMode mode) throws ReserveFailedException {
    SplittableRandom random = new SplittableRandom(11);
    Reservation reservation = reservation(mode);
    BitSet model = new BitSet();
    for (int round = 0; round < 3000; round++) {
      int from = random.nextInt(GRANULE_COUNT);
      int to = from + 1 + random.nextInt(Math.min(20, GRANULE_COUNT - from));
      if (random.nextInt(3) > 0) {
        long slack = random.nextLong(GRANULE);
        long expected = (to - from - model.get(from, to).cardinality()) * GRANULE;
        assertThat(reservation.commit(from * GRANULE + slack, (to - from) * GRANULE - slack))
            .isEqualTo(expected);
        model.set(from, to);
      } else {
        giveBack(reservation, mode, from, to);
        model.clear(from, to);
      }
      assertThat(reservation.committedBytes()).isEqualTo(model.cardinality() * GRANULE);
      assertThat(budget.committedBytes()).isEqualTo(reservation.committedBytes());
      assertThat(reservation.isCommitted(from * GRANULE)).isEqualTo(model.get(from));
    }
    assertThat(reservation.release()).isZero();
  }

  @Test
  void commit_overTheBudget_changesNothing() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(Ledger.of(budget).tryCommit(GRANULE)).isTrue();
    assertThat(reservation.commit(0, GRANULE_COUNT * GRANULE))
        .isEqualTo(Reservation.REFUSED_BY_BUDGET);
    assertThat(reservation.committedBytes()).isZero();
    assertThat(budget.committedBytes()).isEqualTo(GRANULE);
    Ledger.of(budget).uncommit(GRANULE);
    assertThat(reservation.release()).isZero();
  }

  @Test
  void commit_thatTheKernelRefusesHalfWay_isUndone() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.PROTECT);
    assertThat(reservation.commit(5 * GRANULE, GRANULE)).isEqualTo(GRANULE);
    os.failCalls(2, 1, Errno.ENOMEM); // the first gap is allowed, the second refused
    assertThat(reservation.commit(0, 10 * GRANULE)).isEqualTo(-Errno.ENOMEM);
    assertThat(reservation.committedBytes()).isEqualTo(GRANULE);
    assertThat(budget.committedBytes()).isEqualTo(GRANULE);
    assertThat(os.accessibleBytes()).isEqualTo(GRANULE);
    assertThat(reservation.commit(0, 10 * GRANULE)).isEqualTo(9 * GRANULE);
    assertThat(reservation.release()).isZero();
  }

  /** The granules that the undo takes back lie between granules in use. */
  @Test
  void commit_thatTheKernelRefusesInTheThirdGap_leavesWhatIsInUse() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.PROTECT);
    for (long granule : new long[] {1, 2, 5, 9}) {
      assertThat(reservation.commit(granule * GRANULE, GRANULE)).isEqualTo(GRANULE);
      os.touch(reservation.baseAddress() + granule * GRANULE, GRANULE);
    }
    os.failCalls(3, 1, Errno.ENOMEM); // 0 and 3 to 5 are allowed, 6 to 9 refused
    assertThat(reservation.commit(0, 12 * GRANULE)).isEqualTo(-Errno.ENOMEM);
    assertThat(os.accessibleBytes()).isEqualTo(4 * GRANULE);
    for (long granule : new long[] {1, 2, 5, 9}) {
      os.touch(reservation.baseAddress() + granule * GRANULE, GRANULE);
    }
    assertThat(reservation.commit(0, 12 * GRANULE)).isEqualTo(8 * GRANULE);
    assertThat(os.accessibleBytes()).isEqualTo(12 * GRANULE);
    assertThat(reservation.release()).isZero();
  }

  @Test
  void commit_whoseUndoIsRefusedToo_canBeRepeated() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.PROTECT);
    assertThat(reservation.commit(5 * GRANULE, GRANULE)).isEqualTo(GRANULE);
    os.failCalls(2, 2, Errno.ENOMEM);
    assertThat(reservation.commit(0, 10 * GRANULE)).isEqualTo(-Errno.ENOMEM);
    assertThat(reservation.commit(0, 10 * GRANULE)).isEqualTo(9 * GRANULE);
    assertThat(reservation.release()).isZero();
  }

  @Test
  void release_thatIsRefused_changesNothing() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.commit(0, GRANULE)).isEqualTo(GRANULE);
    os.failAlways(Call.RELEASE, Errno.ENOMEM);
    assertThat(reservation.release()).isEqualTo(-Errno.ENOMEM);
    assertThat(budget.committedBytes()).isEqualTo(GRANULE);
    os.succeed();
    assertThat(reservation.release()).isZero();
  }

  @Test
  void dirt_isKnownByGranuleUntilItIsUncommitted() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.commit(0, 4 * GRANULE)).isEqualTo(4 * GRANULE);
    assertThat(reservation.markDirty(GRANULE + 5, 10)).isFalse();
    assertThat(reservation.isDirty(0, GRANULE)).isFalse();
    assertThat(reservation.isDirty(0, GRANULE + 1)).isTrue();
    assertThat(reservation.markDirty(0, 2 * GRANULE)).isTrue();
    assertThat(reservation.isDirty(2 * GRANULE, GRANULE)).isFalse();
    giveBack(reservation, CommitMode.DISCARD, 1, 2);
    assertThat(reservation.isDirty(0, GRANULE)).isTrue();
    assertThat(reservation.isDirty(GRANULE, GRANULE)).isFalse();
    assertThat(reservation.release()).isZero();
  }

  @Test
  void memoryThatMoves_takesItsStateAlong() throws ReserveFailedException {
    Reservation from = reservation(CommitMode.DISCARD);
    Reservation to = reservation(CommitMode.DISCARD);
    assertThat(from.commit(0, 4 * GRANULE)).isEqualTo(4 * GRANULE);
    assertThat(from.markDirty(2 * GRANULE, GRANULE)).isFalse();
    to.prepare(7 * GRANULE, 4 * GRANULE);
    move(from, 0, to, 7 * GRANULE);
    move(from, 2 * GRANULE, to, 9 * GRANULE);
    assertThat(from.committedBytes()).isZero();
    assertThat(from.committedBytes(0, 4 * GRANULE)).isZero();
    assertThat(from.isDirty(0, 4 * GRANULE)).isFalse();
    assertThat(to.committedBytes()).isEqualTo(4 * GRANULE);
    assertThat(to.committedBytes(7 * GRANULE, 4 * GRANULE)).isEqualTo(4 * GRANULE);
    assertThat(to.isDirty(7 * GRANULE, 2 * GRANULE)).isFalse();
    assertThat(to.isDirty(9 * GRANULE, 2 * GRANULE)).isTrue();
    assertThat(budget.committedBytes()).isEqualTo(4 * GRANULE);
    assertThat(from.commit(0, 4 * GRANULE)).isEqualTo(4 * GRANULE); // anew
    assertThat(budget.committedBytes()).isEqualTo(8 * GRANULE);
    assertThat(from.release()).isZero();
    assertThat(to.release()).isZero();
  }

  @Test
  void everCommitted_onlyGrows() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.everCommittedBytes()).isZero();
    assertThat(reservation.commit(0, 3 * GRANULE)).isEqualTo(3 * GRANULE);
    giveBack(reservation, CommitMode.DISCARD, 0, 2);
    assertThat(reservation.commit(0, 3 * GRANULE)).isEqualTo(2 * GRANULE);
    assertThat(reservation.everCommittedBytes()).isEqualTo(5 * GRANULE);
    assertThat(Ledger.of(budget).tryCommit(4 * GRANULE)).isTrue();
    reservation.prepare(3 * GRANULE, 4 * GRANULE);
    reservation.committed(3 * GRANULE, 4 * GRANULE); // by its owner
    assertThat(reservation.everCommittedBytes()).isEqualTo(9 * GRANULE);
    assertThat(reservation.release()).isZero();
  }

  @Test
  void edges_andTheHeapOfBothMasks() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.endAddress())
        .isEqualTo(reservation.baseAddress() + GRANULE_COUNT * GRANULE);
    assertThat(reservation.metadataBytes()).isEqualTo(2 * (16 + 4)); // one section, not made yet
    assertThat(reservation.commit(0, 1)).isEqualTo(GRANULE);
    assertThat(reservation.metadataBytes()).isEqualTo(2 * (16 + 4 + 16 + 4096 / 8));
    assertThat(reservation.release()).isZero();
  }

  @Test
  void committedByItsOwner_isCountedOnce() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.PROTECT);
    assertThat(Ledger.of(budget).tryCommit(3 * GRANULE)).isTrue();
    assertThat(os.allow(reservation.baseAddress(), 3 * GRANULE)).isZero();
    reservation.prepare(0, 3 * GRANULE);
    reservation.committed(0, 3 * GRANULE);
    assertThat(reservation.committedBytes()).isEqualTo(3 * GRANULE);
    assertThat(reservation.commit(0, 4 * GRANULE)).isEqualTo(GRANULE);
    assertThat(budget.committedBytes()).isEqualTo(4 * GRANULE);
    assertThat(reservation.release()).isZero();
  }

  /** A move that ends so has given its target to another owner. */
  @Test
  void excludedAddresses_areNotReleased() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.commit(0, GRANULE)).isEqualTo(GRANULE);
    long base = reservation.baseAddress();
    os.failAlways(Call.MOVE, Errno.ENOTRECOVERABLE);
    for (long target : new long[] {9 * GRANULE, 4 * GRANULE, 5 * GRANULE}) {
      assertThat(os.move(base, GRANULE, base + target)).isEqualTo(-Errno.ENOTRECOVERABLE);
      reservation.exclude(target, GRANULE);
    }
    os.failCalls(2, 1, Errno.ENOMEM);
    assertThat(reservation.release()).isEqualTo(-Errno.ENOMEM);
    assertThat(budget.committedBytes()).isEqualTo(GRANULE);
    assertThat(reservation.release()).isZero();
    assertThat(budget.committedBytes()).isZero();
  }

  /** Addresses that went back may have another owner, whose contents stay. */
  @Test
  void afterHalfARelease_onlyTheRestIsDiscarded() throws ReserveFailedException {
    Reservation reservation = reservation(CommitMode.DISCARD);
    assertThat(reservation.commit(0, 3 * GRANULE)).isEqualTo(3 * GRANULE);
    assertThat(reservation.commit(8 * GRANULE, 2 * GRANULE)).isEqualTo(2 * GRANULE);
    long base = reservation.baseAddress();
    assertThat(os.populate(base, 3 * GRANULE)).isZero();
    assertThat(os.populate(base + 8 * GRANULE, 2 * GRANULE)).isZero();
    os.failAlways(Call.MOVE, Errno.ENOTRECOVERABLE);
    assertThat(os.move(base, GRANULE, base + 4 * GRANULE)).isEqualTo(-Errno.ENOTRECOVERABLE);
    reservation.exclude(4 * GRANULE, GRANULE);
    os.failCalls(2, 1, Errno.ENOMEM);
    assertThat(reservation.release()).isEqualTo(-Errno.ENOMEM);
    assertThat(os.backedBytes()).isEqualTo(2 * GRANULE);
    reservation.discardAll();
    assertThat(os.backedBytes()).isZero();
    assertThat(os.callCount(Call.DISCARD)).isEqualTo(1);
    os.assertNoComplaints();
    assertThat(reservation.release()).isZero();
    assertThat(os.unmapWhatIsLeft()).isEqualTo(1);
  }

  private Reservation reservation(CommitMode mode) throws ReserveFailedException {
    return Reservation.reserve(
        os,
        GRANULE_COUNT * GRANULE,
        GRANULE,
        GRANULE,
        mode == CommitMode.PROTECT,
        Ledger.of(budget));
  }

  /** Two granules. */
  private static void move(Reservation from, long offsetBytes, Reservation to, long toOffsetBytes) {
    AtomicLong inFlightBytes = new AtomicLong();
    boolean isDirty = from.isDirty(offsetBytes, 2 * GRANULE);
    from.given(offsetBytes, 2 * GRANULE, inFlightBytes);
    assertThat(inFlightBytes).hasValue(2 * GRANULE);
    to.taken(toOffsetBytes, 2 * GRANULE, isDirty, inFlightBytes);
    assertThat(inFlightBytes).hasValue(0);
  }

  private void giveBack(Reservation reservation, CommitMode mode, int from, int to) {
    Claim ranges = new Claim();
    long end = to * GRANULE;
    long at = reservation.nextCommitted(from * GRANULE, end);
    while (at < end) {
      long next = reservation.nextUncommitted(at, end);
      ranges.add(reservation.baseAddress() + at, next - at);
      at = reservation.nextCommitted(next, end);
    }
    if (ranges.count() > 0) {
      assertThat(ranges.discard(os, mode)).isEqualTo(ranges.totalBytes());
    }
    assertThat(reservation.uncommitted(from * GRANULE, (to - from) * GRANULE))
        .isEqualTo(ranges.totalBytes());
  }
}
