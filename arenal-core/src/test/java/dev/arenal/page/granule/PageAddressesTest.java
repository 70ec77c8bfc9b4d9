package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Numbers of granules, and the state of their memory, over several reservations. */
final class PageAddressesTest {
  private static final long GRANULE_BYTES = PageSupply.GRANULE_BYTES;

  @RegisterExtension private final Supplies supplies = new Supplies();
  private final List<PageAddresses> open = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() {
    supplies.os.succeed();
    for (PageAddresses addresses : open) {
      addresses.uncountInFlight();
      assertThat(addresses.release()).isZero();
    }
    assertThat(supplies.budget.committedBytes()).isZero();
  }

  @Test
  void numbersAndAddresses_areEachOthers() {
    PageAddresses addresses = inPieces();
    assertThat(addresses.pieceCount()).isEqualTo(32);
    assertThat(addresses.granuleCount()).isEqualTo(32 * 4 + 31); // one is left out between two
    assertThat(addresses.reservedBytes()).isEqualTo(256 * MIB);
    int next = 0;
    long lastAddress = 0;
    for (int i = 0; i < 32; i++) {
      assertThat(addresses.firstOfPiece(i)).isEqualTo(next);
      assertThat(addresses.countOfPiece(i)).isEqualTo(4);
      for (int granule = next; granule < next + 4; granule++) {
        long address = addresses.address(granule);
        assertThat(address).isGreaterThan(lastAddress).matches(each -> each % GRANULE_BYTES == 0);
        assertThat(addresses.granule(address)).isEqualTo(granule);
        assertThat(addresses.granule(address + GRANULE_BYTES - 1)).isEqualTo(granule);
        assertThat(addresses.reservationOf(address).baseAddress())
            .isEqualTo(addresses.address(next));
        lastAddress = address;
      }
      assertWithoutOwner(addresses, addresses.address(next) - 1);
      assertWithoutOwner(addresses, lastAddress + GRANULE_BYTES);
      next += 5;
    }
  }

  private static void assertWithoutOwner(PageAddresses addresses, long address) {
    assertThatThrownBy(() -> addresses.granule(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "address belongs to no page: allocator=test, address=0x" + Long.toHexString(address));
  }

  @Test
  void stateOfAGranule_isKnownInItsPiece_andMovesToAnother() {
    PageAddresses addresses = inPieces();
    int from = addresses.firstOfPiece(2) + 1;
    commit(addresses, from, 2);
    assertThat(addresses.committedBytes(from, 2)).isEqualTo(2 * GRANULE_BYTES);
    assertThat(addresses.committedBytes(from - 1, 4)).isEqualTo(2 * GRANULE_BYTES);
    assertThat(addresses.committedBytes(from + 2, 1)).isZero();
    assertThat(addresses.committedBytes(addresses.firstOfPiece(3) + 1, 2)).isZero();
    assertThat(addresses.committedBytes()).isEqualTo(2 * GRANULE_BYTES);
    assertThat(addresses.isDirty(from, 2)).isFalse();
    addresses.markDirty(from + 1, 1);
    assertThat(addresses.isDirty(from, 1)).isFalse();
    assertThat(addresses.isDirty(from, 2)).isTrue();
    assertThat(addresses.isDirty(from + 2, 1)).isFalse();

    int to = addresses.firstOfPiece(30) + 3;
    addresses.prepare(to, 1);
    addresses.noteMoved(from + 1, to);
    assertThat(addresses.committedBytes(from, 2)).isEqualTo(GRANULE_BYTES);
    assertThat(addresses.committedBytes(to - 1, 1)).isZero();
    assertThat(addresses.committedBytes(to, 1)).isEqualTo(GRANULE_BYTES);
    assertThat(addresses.isDirty(to, 1)).isTrue();
    assertThat(addresses.isDirty(from, 2)).isFalse();
    assertThat(addresses.committedBytes()).isEqualTo(2 * GRANULE_BYTES);
    assertThat(supplies.budget.committedBytes()).isEqualTo(2 * GRANULE_BYTES);
  }

  @Test
  void whatIsCounted_isCommittedOrRefusedInTheEnd() {
    supplies.budget = Budget.limitedTo("ten", 10 * MIB);
    PageAddresses addresses = inPieces();
    assertThat(addresses.tryCount(11 * MIB)).isFalse();
    addresses.uncountInFlight(); // what was not counted is not given back either
    assertThat(addresses.tryCount(10 * MIB)).isTrue();
    addresses.uncountRefused(2 * MIB);
    assertThat(supplies.budget.committedBytes()).isEqualTo(8 * MIB);
    addresses.prepare(0, 1);
    addresses.noteCommitted(0, 1);
    assertThat(supplies.budget.committedBytes()).isEqualTo(8 * MIB);
    addresses.uncountInFlight();
    assertThat(supplies.budget.committedBytes()).isEqualTo(2 * MIB);
    addresses.uncountInFlight();
    assertThat(supplies.budget.committedBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void memoryMoves_unlessSomethingStandsAgainstIt() {
    PageAddresses addresses = inPieces();
    assertThat(addresses.mayMove()).isTrue();
    addresses.keepStill(true);
    assertThat(addresses.mayMove()).isFalse();
    addresses.keepStill(false);
    assertThat(addresses.mayMove()).isTrue();
    supplies.os.setMostMappings(0);
    assertThat(addresses.mayMove()).isFalse();
    supplies.os.setMostMappings(1000);
    assertThat(addresses.mayMove()).isTrue();
    addresses.moveNoMore();
    assertThat(addresses.mayMove()).isFalse();
    supplies.mode = CommitMode.PROTECT;
    assertThat(inPieces().mayMove()).isFalse();
  }

  @Test
  void errorsThatEndMoving_areThoseThatStay() {
    for (int errno : new int[] {Errno.ENOSYS, Errno.EINVAL, Errno.EPERM, Errno.ENOTRECOVERABLE}) {
      assertThat(PageAddresses.endsMoving(-errno)).as("errno %d", errno).isTrue();
    }
    assertThat(PageAddresses.endsMoving(-Errno.ENOMEM)).isFalse();
    assertThat(PageAddresses.endsMoving(-Errno.EAGAIN)).isFalse();
    assertThat(PageAddresses.endsMoving(0)).isFalse();
  }

  /** Down to a granule at a time; then it says how far it came, and has nothing. */
  @Test
  void kernelWithoutAddresses_isToldWithFigures_andNothingIsReserved() {
    supplies.largestReservationBytes = 8 * MIB;
    supplies.os.failCalls(3, 3, Errno.ENOMEM);
    assertThatThrownBy(() -> PageAddresses.reserve(supplies.settings(supplies.os)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "address space refused: allocator=test, capacityBytes=67108864, reservedBytes=16777216,"
                + " errno=ENOMEM (12) (see ulimit -v and vm.overcommit_memory, or ask for less)");
    assertThat(supplies.os.callCount(Call.RESERVE)).isEqualTo(5); // 8, 8, 8, 4, 2 MiB
    supplies.os.succeed();
    supplies.os.assertNothingMapped();
  }

  /** Pieces as small as the 64th part of a capacity, but no smaller. */
  @Test
  void piecesOfALargeCapacity_areNotSmallerThanAPartOfIt() {
    supplies.capacityBytes = 1024 * MIB;
    supplies.os.failAlways(Call.RESERVE, Errno.ENOMEM);
    assertThatThrownBy(() -> PageAddresses.reserve(supplies.settings(supplies.os)))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(supplies.os.callCount(Call.RESERVE)).isEqualTo(9); // 4 GiB to 16 MiB
  }

  @Test
  void capacityOfWholeGranules_isReservedFourTimes() {
    supplies.capacityBytes = 9 * MIB;
    assertThat(reserve().reservedBytes()).isEqualTo(4 * 8 * MIB);
    supplies.capacityBytes = MIB;
    assertThat(reserve().reservedBytes()).isEqualTo(4 * 2 * MIB);
    supplies.largestReservationBytes = 1;
    PageAddresses addresses = reserve();
    assertThat(addresses.pieceCount()).isEqualTo(4);
    supplies.largestReservationBytes = 7 * MIB;
    supplies.capacityBytes = 5 * MIB; // 16 MiB in pieces of 6, the last one is smaller
    addresses = reserve();
    assertThat(addresses.reservedBytes()).isEqualTo(16 * MIB);
    assertThat(addresses.pieceCount()).isEqualTo(3);
  }

  /** Memory that the kernel refuses is still there, and goes the next time. */
  @Test
  void releaseThatTheKernelRefuses_isTriedAgain() {
    PageAddresses addresses = inPieces();
    commit(addresses, 0, 1);
    supplies.os.failCalls(2, 1, Errno.ENOMEM);
    assertThat(addresses.release()).isEqualTo(-Errno.ENOMEM);
    assertThat(addresses.pieceCount()).isEqualTo(1);
    supplies.os.succeed();
    assertThat(addresses.release()).isZero();
    supplies.os.assertNothingMapped();
    assertThat(supplies.budget.committedBytes()).isZero();
  }

  /** No thread will try again: the memory stays with the process, and not in the budget. */
  @Test
  void abandonedAddresses_areNotCounted() {
    PageAddresses addresses = inPieces();
    commit(addresses, addresses.firstOfPiece(7), 4);
    assertThat(addresses.tryCount(6 * MIB)).isTrue();
    supplies.os.failAlways(Call.RELEASE, Errno.ENOMEM);
    addresses.abandon();
    assertThat(supplies.budget.committedBytes()).isZero();
  }

  private static void commit(PageAddresses addresses, int from, int count) {
    assertThat(addresses.tryCount(count * GRANULE_BYTES)).isTrue();
    addresses.prepare(from, count);
    addresses.noteCommitted(from, count);
  }

  /** 256 MiB in pieces of 8 MiB. */
  private PageAddresses inPieces() {
    supplies.largestReservationBytes = 8 * MIB;
    return reserve();
  }

  private PageAddresses reserve() {
    PageAddresses addresses = PageAddresses.reserve(supplies.settings(supplies.os));
    open.add(addresses);
    return addresses;
  }
}
