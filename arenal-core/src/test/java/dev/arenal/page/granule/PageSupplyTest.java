package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.os.NativeMemory;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Claim;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages taken and given back, one at a time. */
final class PageSupplyTest {
  @RegisterExtension private final Supplies supplies = new Supplies();

  @Test
  void page_isZeroAndWritable_andDirtyWhenItComesAgain() {
    PageSupply supply = supplies.open();
    PageMemory page = take(supply, PageKind.SMALL, 2 * MIB);
    assertThat(page.isZero).isTrue();
    assertThat(page.sizeBytes).isEqualTo(2 * MIB);
    MemorySegment memory = NativeMemory.segment(page.address, page.sizeBytes);
    assertThat(memory.get(ValueLayout.JAVA_LONG, 2 * MIB - 8)).isZero();
    var _ = memory.fill((byte) 1);
    supply.giveBack(page, 0);
    PageMemory again = take(supply, PageKind.SMALL, 2 * MIB);
    assertThat(again.address).isEqualTo(page.address);
    assertThat(again.isZero).isFalse();
  }

  @Test
  void undonePage_staysZero() {
    PageSupply supply = supplies.open();
    PageMemory page = take(supply, PageKind.MEDIUM, 32 * MIB);
    supply.undo(page);
    assertThat(supply.figures().cachedBytes()).isEqualTo(32 * MIB);
    assertThatThrownBy(() -> supply.undo(page)).isInstanceOf(IllegalStateException.class);
    assertThat(take(supply, PageKind.MEDIUM, 32 * MIB).isZero).isTrue();
  }

  @Test
  void smallPages_areLow_othersHigh() {
    PageSupply supply = supplies.open();
    PageMemory small = take(supply, PageKind.SMALL, 2 * MIB);
    PageMemory medium = take(supply, PageKind.MEDIUM, 16 * MIB);
    PageMemory large = take(supply, PageKind.LARGE, 6 * MIB);
    assertThat(medium.address - small.address).isEqualTo((256 - 16) * MIB);
    assertThat(large.address).isEqualTo(medium.address - 6 * MIB);
  }

  @Test
  void givingBackTwice_isRefused() {
    PageSupply supply = supplies.open();
    PageMemory page = take(supply, PageKind.SMALL, 2 * MIB);
    supply.giveBack(page, 3);
    assertThatThrownBy(() -> supply.giveBack(page, 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "page is not in use: allocator=test, page=PageMemory[kind=SMALL, address=0x"
                + Long.toHexString(page.address)
                + ", sizeBytes=2097152, owner=0] (expected each page to be given back once)");
    assertThat(supply.figures().cachedBytes()).isEqualTo(2 * MIB);
  }

  /** Of a gigabyte that would be 64 KiB for the OS pages alone. */
  @Test
  void pageThatTheBudgetRefuses_leavesNothingOnTheJavaHeap() {
    supplies.budget = Budget.limitedTo("small", 4 * MIB);
    PageSupply supply = supplies.open();
    Reservation reservation = requireNonNull(supply.state.granules.addresses.reservation(0));
    long before = reservation.metadataBytes();
    assertThat(supply.tryTake(PageKind.LARGE, 64 * MIB, 0)).isNull();
    assertThat(reservation.metadataBytes()).isEqualTo(before);
  }

  /** For a thread that waits for it. */
  @Test
  void newPage_isNoMemoryThatComesBackToTheBudget() {
    Ledger ledger = Ledger.of(supplies.budget);
    PageSupply supply = supplies.open();
    long before = ledger.uncommitCountVolatile();
    assertThat(take(supply, PageKind.LARGE, 4 * MIB)).isNotNull();
    assertThat(ledger.uncommitCountVolatile()).isEqualTo(before);
  }

  @Test
  void capacity_isNotExceeded() {
    PageSupply supply = supplies.open();
    PageMemory page = take(supply, PageKind.LARGE, 64 * MIB);
    assertThat(supply.tryTake(PageKind.SMALL, 2 * MIB, 0)).isNull();
    supply.giveBack(page, 0);
    assertThat(take(supply, PageKind.SMALL, 2 * MIB)).isNotNull();
    assertThat(supply.tryTake(PageKind.LARGE, 64 * MIB, 0)).isNull();
    assertThat(supply.tryTake(PageKind.LARGE, 66 * MIB, 0)).isNull();
    assertThat(supply.figures())
        .isEqualTo(
            new SupplyFigures(2 * MIB, 62 * MIB, 64 * MIB, 256 * MIB, 64 * MIB, 192 * MIB, 0));
  }

  @Test
  void budget_isNotExceeded_andNoOtherUserIsAsked() {
    supplies.budget = Budget.limitedTo("b", 16 * MIB);
    PageSupply supply = supplies.open();
    PageSupply other = supplies.open();
    other.giveBack(take(other, PageKind.LARGE, 10 * MIB), 0);
    // The caller may hold a lock that a reclaimer needs: a thread without locks asks.
    assertThat(supply.tryTake(PageKind.LARGE, 8 * MIB, 0)).isNull();
    assertThat(supplies.budget.reclaim()).isEqualTo(10 * MIB);
    assertThat(take(supply, PageKind.LARGE, 8 * MIB)).isNotNull();
    assertThat(other.figures().committedBytes()).isZero();
    assertThat(supply.tryTake(PageKind.LARGE, 10 * MIB, 0)).isNull();
    assertThat(supplies.budget.committedBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void cacheGivesWay_onlyWhereThePageFitsThen() {
    supplies.budget = Budget.limitedTo("b", 16 * MIB);
    PageSupply supply = supplies.open();
    PageMemory used = take(supply, PageKind.LARGE, 6 * MIB);
    supply.giveBack(take(supply, PageKind.LARGE, 10 * MIB), 0);
    supplies.budget.setLimitBytes(12 * MIB);
    // What the budget lacks is more than the cache has: 16 and 12 are 16 above the limit.
    assertThat(supply.giveWayFor(12 * MIB)).isFalse();
    assertThat(supply.giveWayFor(10 * MIB)).as("at hand").isTrue();
    assertThat(supply.figures().cachedBytes()).isEqualTo(10 * MIB);
    PageMemory first = take(supply, PageKind.LARGE, 4 * MIB);
    PageMemory second = take(supply, PageKind.LARGE, 6 * MIB);
    supply.giveBack(second, 0);
    supply.giveBack(used, 0);
    // Two ranges of 6 are free, of which neither is enough. 16 and 8 are 14 above the limit.
    supplies.budget.setLimitBytes(10 * MIB);
    assertThat(supply.giveWayFor(8 * MIB)).isFalse();
    supplies.budget.setLimitBytes(12 * MIB);
    assertThat(supply.giveWayFor(8 * MIB)).isTrue();
    assertThat(supplies.budget.committedBytes()).isEqualTo(4 * MIB);
    assertThat(take(supply, PageKind.LARGE, 8 * MIB)).isNotNull();
    supply.giveBack(first, 0);
  }

  @Test
  void sizesThatAreNotWholeGranules_areRefused() {
    PageSupply supply = supplies.open();
    for (long sizeBytes : new long[] {-2 * MIB, 0, MIB, 3 * MIB}) {
      assertThatThrownBy(() -> supply.tryTake(PageKind.LARGE, sizeBytes, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "size of a page is not whole granules: allocator=test, sizeBytes="
                  + sizeBytes
                  + " (expected a positive multiple of 2097152)");
    }
  }

  @Test
  void discardedParts_comeBackAsZero_orMakeTheirGranuleFree() {
    PageSupply supply = supplies.open();
    long pageBytes = supplies.os.pageSizeBytes();
    PageMemory page = take(supply, PageKind.MEDIUM, 8 * MIB);
    MemorySegment memory = NativeMemory.segment(page.address, page.sizeBytes);
    var _ = memory.fill((byte) 1);
    Claim ranges = new Claim();
    ranges.add(page.address + 3 * MIB, 2 * pageBytes);
    ranges.add(page.address + 4 * MIB, 2 * MIB);
    assertThat(supply.discard(ranges)).isEqualTo(2 * MIB + 2 * pageBytes);
    assertThat(supply.figures().committedBytes()).isEqualTo(6 * MIB - 2 * pageBytes);
    assertThat(supply.figures().usedBytes()).isEqualTo(8 * MIB);
    assertThat(supply.recommit(page.address + 3 * MIB - pageBytes, 2 * pageBytes)).isTrue();
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 3 * MIB)).isZero();
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 3 * MIB - 1)).isEqualTo((byte) 1);
    supply.giveBack(page, 0);
    assertThat(supply.figures().cachedBytes()).isEqualTo(4 * MIB);
    assertThat(supply.figures().committedBytes()).isEqualTo(4 * MIB);
  }

  @Test
  void trim_givesTheWholeCacheBack() {
    PageSupply supply = supplies.open();
    PageMemory kept = take(supply, PageKind.SMALL, 2 * MIB);
    supply.giveBack(take(supply, PageKind.LARGE, 20 * MIB), 0);
    assertThat(supply.trim()).isEqualTo(20 * MIB);
    assertThat(supply.trim()).isZero();
    assertThat(supply.figures())
        .isEqualTo(new SupplyFigures(2 * MIB, 0, 2 * MIB, 256 * MIB, 64 * MIB, 254 * MIB, 0));
    supply.giveBack(kept, 0);
  }

  @Test
  void scatteredGranules_areMovedTogetherWhereNothingMoreMayBeCommitted() {
    PageSupply supply = supplies.open();
    PageMemory[] pages = new PageMemory[32];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = take(supply, PageKind.SMALL, 2 * MIB);
    }
    for (int i = 0; i < pages.length; i += 2) {
      supply.giveBack(pages[i], 0);
    }
    PageMemory large = take(supply, PageKind.LARGE, 32 * MIB);
    assertThat(supply.figures().committedBytes()).isEqualTo(64 * MIB);
    var _ = NativeMemory.segment(large.address, large.sizeBytes).fill((byte) 1);
    supply.giveBack(large, 0);
  }

  @Test
  void closedSupply_handsNothingOut_andTakesNothingBack() {
    PageSupply supply = supplies.open();
    PageMemory taken = take(supply, PageKind.SMALL, 2 * MIB);
    supply.close();
    assertThat(supply.tryTake(PageKind.SMALL, 2 * MIB, 0)).isNull();
    assertThat(supply.tryTakeCached(PageKind.MEDIUM, 2 * MIB, 4 * MIB, 0)).isNull();
    supply.undo(taken);
    supply.giveBack(taken, 0);
    assertThat(supply.trim()).isZero();
    supply.tick(0);
  }

  private static PageMemory take(PageSupply supply, PageKind kind, long sizeBytes) {
    return requireNonNull(supply.tryTake(kind, sizeBytes, 0));
  }
}
