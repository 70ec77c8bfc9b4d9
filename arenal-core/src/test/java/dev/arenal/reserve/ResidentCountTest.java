package dev.arenal.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.guard.StackSafeLock;
import dev.arenal.memory.Budget;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The kernel is asked about committed runs in steps, without the lock of its owner. */
final class ResidentCountTest {
  private static final long PAGE = 4096;
  private static final long GIB = 1L << 30;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final Budget budget = Budget.unlimited("test");
  private final StackSafeLock lock = new StackSafeLock();
  private final List<Reservation> reservations = new ArrayList<>();

  @BeforeEach
  void memoryIsResident() {
    os.populateReally();
  }

  @AfterEach
  void nothingIsLeft() {
    os.succeed();
    os.beforeResidence(null);
    release();
    os.assertNoComplaints();
    os.assertNothingMapped();
    assertThat(budget.committedBytes()).isZero();
  }

  private void release() {
    reservations.forEach(reservation -> assertThat(reservation.release()).isZero());
    reservations.clear();
  }

  private Reservation reserve(long sizeBytes) throws ReserveFailedException {
    Reservation reservation =
        Reservation.reserve(os, sizeBytes, PAGE, PAGE, false, Ledger.of(budget));
    reservations.add(reservation);
    return reservation;
  }

  private long count() {
    return ResidentCount.count(
        os,
        lock,
        index -> {
          assertThat(lock.isHeldByCurrentThread()).isTrue();
          return index < reservations.size() ? reservations.get(index) : null;
        });
  }

  private void commit(Reservation reservation, long offsetBytes, long sizeBytes) {
    assertThat(reservation.commit(offsetBytes, sizeBytes)).isEqualTo(sizeBytes);
  }

  private void touch(Reservation reservation, long offsetBytes, long sizeBytes) {
    os.touch(reservation.baseAddress() + offsetBytes, sizeBytes);
  }

  @Test
  void touchedPagesOfEachReservation_areCounted() throws Exception {
    assertThat(count()).isZero();
    Reservation one = reserve(100 * PAGE);
    Reservation other = reserve(4 * PAGE);
    assertThat(count()).isZero();
    commit(one, 10 * PAGE, 50 * PAGE);
    commit(other, 3 * PAGE, PAGE);
    assertThat(count()).isZero();
    touch(one, 12 * PAGE, 30 * PAGE);
    touch(other, 3 * PAGE, PAGE);
    assertThat(count()).isEqualTo(31 * PAGE);
    touch(one, 80 * PAGE, PAGE);
    assertThat(count()).as("what is not committed").isEqualTo(31 * PAGE);
  }

  /** More runs than a step has room for, and runs as long as several steps. */
  @Test
  void steps_leaveNothingOutAndCountNothingTwice() throws Exception {
    Reservation scattered = reserve(1000 * PAGE);
    for (int i = 0; i < 1000; i += 2) {
      commit(scattered, i * PAGE, PAGE);
      touch(scattered, i * PAGE, PAGE);
    }
    assertThat(count()).isEqualTo(500 * PAGE);
    assertThat(os.callCount(Call.RESIDENCE)).isEqualTo(500);
    Reservation large = reserve(5 * GIB);
    commit(large, GIB / 2, 3 * GIB);
    touch(large, GIB / 2, PAGE);
    touch(large, GIB, PAGE);
    touch(large, GIB * 3 / 2 - PAGE, 2 * PAGE);
    touch(large, GIB * 7 / 2 - PAGE, 2 * PAGE);
    assertThat(count()).isEqualTo(505 * PAGE);
  }

  /** Also where nothing is committed: the lock is held for a part of the addresses at a time. */
  @Test
  void step_looksAtOneGibAtMost() throws Exception {
    var _ = reserve(10 * GIB);
    int[] stepCount = new int[1];
    long residentBytes =
        ResidentCount.count(
            os,
            lock,
            index -> {
              stepCount[0]++;
              return index == 0 ? reservations.getFirst() : null;
            });
    assertThat(residentBytes).isZero();
    assertThat(stepCount[0]).isGreaterThan(10);
  }

  @Test
  void kernel_isAskedWithoutTheLock() throws Exception {
    Reservation one = reserve(100 * PAGE);
    commit(one, 0, 100 * PAGE);
    touch(one, 0, 100 * PAGE);
    AtomicInteger asked = new AtomicInteger();
    os.beforeResidence(() -> {
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      var _ = asked.incrementAndGet();
    });
    assertThat(count()).isEqualTo(100 * PAGE);
    assertThat(asked).hasValue(1);
  }

  @Test
  void kernelThatDoesNotSay_isUnknown() throws Exception {
    Reservation one = reserve(100 * PAGE);
    commit(one, 0, PAGE);
    commit(one, 2 * PAGE, PAGE);
    for (int call = 1; call <= 2; call++) {
      os.failCalls(call, 1, Errno.ENOSYS);
      assertThat(count()).isEqualTo(ResidentCount.UNKNOWN).isEqualTo(-1);
      assertThat(os.failureCount()).isEqualTo(1);
    }
    os.succeed();
    assertThat(count()).isZero();
  }

  /** No thread waits for a sweep. */
  @Test
  void ownerThatIsClosedMeanwhile_hasNothing() throws Exception {
    for (int i = 0; i < 2; i++) {
      Reservation one = reserve(100 * PAGE);
      commit(one, 0, PAGE);
      touch(one, 0, PAGE);
    }
    AtomicInteger asked = new AtomicInteger();
    os.beforeResidence(() -> {
      if (asked.incrementAndGet() == 2) {
        release();
      }
    });
    assertThat(count()).isZero();
    assertThat(asked).hasValue(2);
  }

  @Test
  void memoryThatGoesBackMeanwhile_isNotCounted() throws Exception {
    Reservation one = reserve(100 * PAGE);
    commit(one, 0, 50 * PAGE);
    touch(one, 0, 50 * PAGE);
    os.beforeResidence(() -> {
      long[] addresses = {one.baseAddress()};
      assertThat(os.discard(addresses, new long[] {20 * PAGE}, 1)).isZero();
      assertThat(one.uncommitted(0, 20 * PAGE)).isEqualTo(20 * PAGE);
      os.beforeResidence(null);
    });
    assertThat(count()).isEqualTo(30 * PAGE);
  }
}
