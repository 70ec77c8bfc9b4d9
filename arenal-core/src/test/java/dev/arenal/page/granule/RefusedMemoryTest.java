package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cached memory that the kernel always refuses to take, as it does with locked pages, stays. */
final class RefusedMemoryTest {
  private static final long GRANULE = PageSupply.GRANULE_BYTES;
  private static final long SECOND = 1_000_000_000L;

  /** More than one call of the kernel takes. */
  private static final int MANY = 1100;

  @RegisterExtension private final Supplies supplies = new Supplies();

  private long nowNanos;

  @AfterEach
  void unlock() {
    supplies.os.refuseToTake(0, 0);
  }

  /** As many as may go by themselves are refused: those below them go. */
  @Test
  void refusedGranules_keepNoneBelowThem_aboveTheFloor() {
    supplies.floorBytes = 12 * GRANULE;
    supplies.uncommitDelay = Duration.ofSeconds(8);
    PageSupply supply = supplies.open();
    List<PageMemory> pages = take(supply, 16);
    supplies.os.refuseToTake(pages.get(12).address, 4 * GRANULE);
    giveBack(supply, pages);
    pass(supply, 60);
    assertThat(supply.figures().committedBytes()).isEqualTo(12 * GRANULE);
    assertThat(supply.uncommitCached(MIB * 64)).isZero();
  }

  /** The same where many are refused: it comes to those below in time. */
  @Test
  void manyRefusedRanges_keepNoneBelowThem_byThemselves() {
    supplies.capacityBytes = 2 * MANY * GRANULE;
    supplies.uncommitDelay = Duration.ofSeconds(8);
    PageSupply supply = openWithHoles(40, MANY);
    pass(supply, 8 * 60);
    assertThat(supply.figures().cachedBytes()).isEqualTo((MANY - 40) * GRANULE);
    supplies.os.refuseToTake(0, 0); // it comes to those above again
    pass(supply, 8 * 60);
    assertThat(supply.figures().cachedBytes()).isZero();
  }

  @Test
  void manyRefusedRanges_keepNoneBelowThem_fromATrim() {
    supplies.capacityBytes = 2 * MANY * GRANULE;
    PageSupply supply = openWithHoles(40, MANY);
    int callsBefore = supplies.os.callCount(Call.DISCARD);
    assertThat(supply.trim()).isEqualTo(40 * GRANULE);
    assertThat(supply.figures().cachedBytes()).isEqualTo((MANY - 40) * GRANULE);
    assertThat(supplies.os.callCount(Call.DISCARD) - callsBefore)
        .as("each is tried once, after two batches")
        .isEqualTo(MANY + 2);
    assertThat(supply.trim()).isZero();
    supplies.os.refuseToTake(0, 0);
    assertThat(supply.trim()).isEqualTo((MANY - 40) * GRANULE);
  }

  /** That of a pretouch that failed. */
  @Test
  void refusedGranule_endsNoUndo() {
    supplies.capacityBytes = 2 * MANY * GRANULE;
    PageSupply supply = openWithHoles(0, 40);
    BitSet wanted = new BitSet();
    wanted.set(0, 2 * MANY);
    supply.state.uncommitter.uncommitCached(wanted);
    assertThat(supply.figures().cachedBytes()).isEqualTo(40 * GRANULE);
  }

  /** Every second granule is cached, of which the kernel refuses those from one to another. */
  private PageSupply openWithHoles(int from, int end) {
    PageSupply supply = supplies.open();
    List<PageMemory> pages = take(supply, 2 * MANY);
    supplies.os.refuseToTake(pages.get(2 * from).address, 2L * (end - from) * GRANULE);
    List<PageMemory> holes = new ArrayList<>();
    for (int i = 0; i < pages.size(); i += 2) {
      holes.add(pages.get(i));
    }
    giveBack(supply, holes);
    return supply;
  }

  private static List<PageMemory> take(PageSupply supply, int count) {
    List<PageMemory> pages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pages.add(requireNonNull(supply.tryTake(PageKind.SMALL, GRANULE, 0)));
      assertThat(pages.get(i).firstGranule).isEqualTo(i);
    }
    return pages;
  }

  private static void giveBack(PageSupply supply, List<PageMemory> pages) {
    for (PageMemory page : pages) {
      supply.giveBack(page, 0);
    }
  }

  private void pass(PageSupply supply, int seconds) {
    for (int i = 0; i < seconds; i++) {
      nowNanos += SECOND;
      supply.tick(nowNanos);
    }
  }
}
