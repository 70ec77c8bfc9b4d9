package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The units of a page, against {@link UnitModel}. */
final class HeapPageTest {
  private final PaperPages paper = new PaperPages();
  private final BestHole hole = new BestHole();

  private record Range(int from, int to) {}

  /** INV-PAGE-1, INV-PAGE-2. */
  @ParameterizedTest
  @CsvSource({"1024, 1, 300", "1024, 1, 12", "4096, 2, 400", "4096, 1, 20", "2097152, 3, 3"})
  void units_areThoseOfTheModel(int unitBytes, int granuleCount, int longest) {
    String name = "HeapPage " + unitBytes + " " + longest;
    SplittableRandom random = new SplittableRandom(Seeds.derive(name, granuleCount));
    HeapPage page = page(unitBytes, granuleCount, random.nextBoolean());
    UnitModel model = new UnitModel(page);
    List<Range> taken = new ArrayList<>();
    for (int round = 0; round < 1500; round++) {
      // Now fuller, now emptier.
      boolean isFilling = round / 200 % 2 == 0;
      if (random.nextInt(10) < (isFilling ? 7 : 3)) {
        allocate(model, random.nextInt(1, longest + 1), random.nextBoolean(), taken);
      } else if (!taken.isEmpty()) {
        Range range = taken.remove(random.nextInt(taken.size()));
        model.give(range.from, range.to);
      }
      switch (random.nextInt(30)) {
        case 0 -> model.beginCycle();
        case 1, 2 -> discardSome(model, random);
        default -> {}
      }
      compareIdle(model, random.nextInt(page.unitCount), random.nextBoolean());
      model.compare();
    }
    for (Range range : taken) {
      model.give(range.from, range.to);
    }
    model.compare();
    assertThat(page.isEmpty()).isTrue();
    page.offerFree(page.unitCount, hole);
    assertThat(page.longestFree()).isEqualTo(page.unitCount);
  }

  /** Takes the best hole, if there is one, after a look at whether it is. */
  private void allocate(UnitModel model, int units, boolean mustBeCommitted, List<Range> taken) {
    HeapPage page = model.page;
    if (units > page.unitCount) {
      return;
    }
    hole.clear();
    if (mustBeCommitted) {
      page.offerCommitted(units, units, hole);
    } else {
      page.offerFree(units, hole);
      assertThat(page.longestFree()).as(Seeds.hint()).isEqualTo(model.longest(false));
    }
    Range best = best(model, units, mustBeCommitted);
    assertThat(hole.page == null).as(Seeds.hint()).isEqualTo(best == null);
    if (best != null) {
      assertThat(hole.from).as(Seeds.hint()).isEqualTo(best.from);
      page.take(best.from, best.to);
      boolean wasDirty = model.take(best.from, best.to);
      assertThat(page.markDirty(best.from, best.to)).as(Seeds.hint()).isEqualTo(wasDirty);
      taken.add(best);
    }
  }

  /**
   * The fewest units to be had from the kernel, then the shortest range, then the lowest; at its
   * beginning, or at its end if fewer are discarded there.
   */
  private static @org.jspecify.annotations.Nullable Range best(
      UnitModel model, int units, boolean mustBeCommitted) {
    Range best = null;
    int leastDiscarded = Integer.MAX_VALUE;
    int shortest = Integer.MAX_VALUE;
    int at = 0;
    while (at < model.used.length) {
      int end = at;
      while (end < model.used.length
          && !model.used[end]
          && !(mustBeCommitted && model.discarded[end])) {
        end++;
      }
      if (end - at >= units) {
        int atBegin = discardedCount(model, at, units);
        int atEnd = discardedCount(model, end - units, units);
        int discarded = Math.min(atBegin, atEnd);
        if (discarded < leastDiscarded || (discarded == leastDiscarded && end - at < shortest)) {
          int from = atEnd < atBegin ? end - units : at;
          best = new Range(from, from + units);
          leastDiscarded = discarded;
          shortest = end - at;
        }
      }
      at = Math.max(end, at + 1);
    }
    return best;
  }

  private static int discardedCount(UnitModel model, int from, int units) {
    int count = 0;
    for (int i = from; i < from + units; i++) {
      count += model.discarded[i] ? 1 : 0;
    }
    return count;
  }

  /** Gives some of the whole OS pages that are idle back to the kernel. */
  private static void discardSome(UnitModel model, SplittableRandom random) {
    HeapPage page = model.page;
    boolean evenSinceCycle = random.nextBoolean();
    int at = page.nextIdle(random.nextInt(page.unitCount), evenSinceCycle);
    while (at < page.unitCount && random.nextInt(4) != 0) {
      int end = page.endOfIdle(at, evenSinceCycle);
      int from = (at + model.osUnits - 1) & -model.osUnits;
      int to = end & -model.osUnits;
      if (from < to) {
        model.discard(from, to);
      }
      at = page.nextIdle(end, evenSinceCycle);
    }
  }

  private static void compareIdle(UnitModel model, int from, boolean evenSinceCycle) {
    int idle = model.page.nextIdle(from, evenSinceCycle);
    assertThat(idle).as(Seeds.hint()).isEqualTo(model.nextIdle(from, evenSinceCycle));
    if (idle < model.page.unitCount) {
      assertThat(model.page.endOfIdle(idle, evenSinceCycle))
          .as(Seeds.hint())
          .isEqualTo(model.endOfIdle(idle, evenSinceCycle));
    }
  }

  @Test
  void unitsAndAddresses_areEachOthers() {
    HeapPage page = page(1024, 1, true);
    long address = PaperPages.ADDRESS;
    assertThat(page.unitCount).isEqualTo(2048);
    assertThat(page.unitsPerOsPage).isEqualTo((int) PaperPages.OS_PAGE_BYTES / 1024);
    assertThat(page.addressOf(3)).isEqualTo(address + 3072);
    assertThat(page.unitAt(address + 3071)).isEqualTo(2);
    assertThat(page.unitAt(address + 3072)).isEqualTo(3);
    assertThat(page.unitAtOrAfter(address + 3072)).isEqualTo(3);
    assertThat(page.unitAtOrAfter(address + 3073)).isEqualTo(4);
    assertThat(page.unitsOf(1)).isEqualTo(1);
    assertThat(page.unitsOf(1024)).isEqualTo(1);
    assertThat(page.unitsOf(1025)).isEqualTo(2);
  }

  /** INV-PAGE-2: also of a hole that was found in a search for any. */
  @Test
  void holesAreCounted_asTheyAreSplitAndJoined() {
    HeapPage page = page(4096, 2, true);
    page.take(0, 1024);
    assertThat(page.longestCommitted()).isZero();
    page.give(100, 110);
    page.give(200, 210);
    hole.clear();
    page.offerFree(10, hole);
    page.take(hole.from, hole.from + 10);
    page.verify();
    assertThat(page.longestCommitted()).isEqualTo(10);
    page.give(210, 230);
    assertThat(page.longestCommitted()).isEqualTo(30);
    page.take(205, 206);
    assertThat(page.longestCommitted()).isEqualTo(24);
    assertThat(page.freeBytes()).isEqualTo(29 * 4096);
    page.verify();
  }

  /** The first that is good enough ends the search. */
  @Test
  void offerCommitted_endsAtAGoodHole() {
    HeapPage page = page(4096, 2, true);
    page.take(0, 1024);
    page.give(100, 140);
    page.give(200, 212);
    page.give(300, 310);
    hole.clear();
    page.offerCommitted(10, 12, hole);
    assertThat(hole.from).isEqualTo(200);
    hole.clear();
    page.offerCommitted(10, 10, hole);
    assertThat(hole.from).isEqualTo(300);
  }

  /** Committed holes before discarded ones, however well these fit; then the shortest. */
  @Test
  void hole_isChosenByWhatItCosts_andThenByItsLength() {
    HeapPage page = page(4096, 2, true);
    page.take(0, 1024);
    page.give(100, 110); // fits, but is discarded
    page.give(200, 220);
    page.give(300, 316); // the shortest that is not
    page.give(400, 416);
    page.give(500, 509); // too short
    page.markDiscarded(100, 110);
    hole.clear();
    page.offerFree(10, hole);
    assertThat(hole.length()).isEqualTo(16);
    assertThat(hole.from).isEqualTo(300);
    assertThat(hole.isPerfect(10)).isFalse();
    assertThat(hole.isPerfect(16)).isTrue();
    page.take(200, 220);
    page.take(300, 316);
    page.take(400, 416);
    hole.clear();
    page.offerFree(10, hole);
    assertThat(hole.from).isEqualTo(100);
    assertThat(hole.length()).isEqualTo(10);
    assertThat(hole.isPerfect(10)).isFalse();
    hole.clear();
    page.offerCommitted(10, 10, hole);
    assertThat(hole.page).isNull();
    assertThat(page.longestCommitted()).isEqualTo(9);
    assertThat(page.longestFree()).isEqualTo(10);
  }

  @Test
  void partlyDiscardedHole_isUsedFromTheEndThatIsCheaper() {
    HeapPage page = page(4096, 2, true);
    page.take(0, 1024);
    page.give(100, 140);
    page.markDiscarded(100, 120);
    hole.clear();
    page.offerFree(10, hole);
    assertThat(hole.from).isEqualTo(130);
    page.take(130, 140);
    page.markDiscarded(120, 125);
    hole.clear();
    page.offerFree(10, hole);
    assertThat(hole.from).isEqualTo(120);
    page.markRecommitted(100, 125);
    assertThat(page.discardedUnits()).isZero();
    assertThat(page.longestCommitted()).isEqualTo(30);
    page.verify();
  }

  /** Of the OS pages that come back for a buffer, the rest joins its committed neighbours. */
  @Test
  void restOfRecommittedPages_joinsItsNeighbours() {
    HeapPage page = page(1024, 1, true);
    page.take(0, 2048);
    page.give(100, 124);
    page.take(112, 116);
    page.markDiscarded(112, 116);
    page.give(112, 116);
    assertThat(page.longestCommitted()).isEqualTo(12);
    page.take(114, 115);
    page.markRecommitted(112, 116);
    assertThat(page.longestCommitted()).isEqualTo(14); // from 100
    page.verify();
  }

  /** A bound that is too high costs a look at the page for each allocation that does not fit. */
  @Test
  void freedRange_isAllThatThereIs_inAFullPage() {
    HeapPage page = page(4096, 1, true);
    page.takeAll();
    assertThat(page.longestFree()).isZero();
    assertThat(page.longestCommitted()).isZero();
    page.give(100, 110);
    assertThat(page.longestFree()).isEqualTo(10);
    assertThat(page.longestCommitted()).isEqualTo(10);
    page.give(112, 115);
    page.give(110, 112); // joins both
    assertThat(page.longestFree()).isEqualTo(15);
    assertThat(page.longestCommitted()).isEqualTo(15);

    HeapPage other = page(4096, 1, true);
    other.takeAll();
    other.markDiscarded(110, 120);
    other.give(110, 120);
    assertThat(other.longestFree()).isEqualTo(10);
    assertThat(other.longestCommitted()).isZero();
    other.give(105, 110);
    assertThat(other.longestFree()).isEqualTo(15);
    assertThat(other.longestCommitted()).isEqualTo(5);
    other.verify();
  }

  @Test
  void discardedUnits_countOnce() {
    HeapPage page = page(4096, 1, true);
    page.markDiscarded(10, 20);
    page.markDiscarded(15, 30);
    assertThat(page.discardedUnits()).isEqualTo(20);
    assertThat(page.discardedBytes()).isEqualTo(20 * 4096);
    assertThat(page.freeBytes()).isEqualTo(492 * 4096);
    page.markRecommitted(0, 12);
    page.markRecommitted(8, 12);
    assertThat(page.discardedUnits()).isEqualTo(18);
    page.verify();
  }

  /** INV-PAGE-1. */
  @Test
  void verify_tellsRangesThatWereTakenTwice() {
    HeapPage page = page(4096, 1, true);
    page.take(10, 20);
    page.take(15, 25);
    assertThatThrownBy(page::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage(
            "INV-PAGE-1 used units are not those marked: page=0x10000000000, sizeBytes=2097152,"
                + " usedUnits=20, discardedUnits=0, longestFree=512, longestCommitted=495,"
                + " marked=15");
  }

  /** INV-PAGE-2. */
  @Test
  void verify_tellsARangeThatIsLongerThanTheBound() {
    HeapPage page = page(4096, 1, true);
    page.take(250, 260);
    hole.clear();
    page.offerFree(1, hole);
    page.verify();
    Bits.clear(page.used, 250, 260); // behind its back
    Bits.set(page.used, 0, 10);
    assertThatThrownBy(page::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage(
            "INV-PAGE-2 a free range is longer than the bound: page=0x10000000000,"
                + " sizeBytes=2097152, usedUnits=10, discardedUnits=0, longestFree=252,"
                + " longestCommitted=255, free=502");
  }

  /** INV-PAGE-2. */
  @Test
  void verify_tellsHolesThatAreNotCounted() {
    HeapPage page = page(4096, 1, true);
    page.take(250, 260);
    Bits.clear(page.used, 250, 260); // behind its back
    Bits.set(page.used, 240, 250);
    assertThatThrownBy(page::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage(
            "INV-PAGE-2 holes are not those counted: page=0x10000000000, sizeBytes=2097152,"
                + " usedUnits=10, discardedUnits=0, longestFree=512, longestCommitted=255");
  }

  private HeapPage page(int unitBytes, int granuleCount, boolean isZero) {
    PageMemory memory = PaperPages.memory(PageKind.MEDIUM, 0, granuleCount, isZero);
    return new HeapPage(paper, memory, unitBytes, PaperPages.OS_PAGE_BYTES);
  }
}
