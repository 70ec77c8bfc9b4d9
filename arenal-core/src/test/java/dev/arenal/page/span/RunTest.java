package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots of a run, against arrays of booleans. */
final class RunTest {
  private static final int FIRST_UNIT = 8;

  private final PaperPages paper = new PaperPages();

  /** The expected state of each slot of a run. */
  private static final class Model {
    final boolean[] free;
    final boolean[] freedSinceCycle;

    Model(int slotCount) {
      free = new boolean[slotCount];
      freedSinceCycle = new boolean[slotCount];
      Arrays.fill(free, true);
      Arrays.fill(freedSinceCycle, true);
    }

    int lowestFree() {
      int slot = 0;
      while (slot < free.length && !free[slot]) {
        slot++;
      }
      return slot;
    }

    int freeCount() {
      int count = 0;
      for (boolean bit : free) {
        count += bit ? 1 : 0;
      }
      return count;
    }

    boolean isIdle(int slot, boolean evenSinceCycle) {
      return free[slot] && (evenSinceCycle || !freedSinceCycle[slot]);
    }

    int nextIdle(int from, boolean evenSinceCycle) {
      int slot = from;
      while (slot < free.length && !isIdle(slot, evenSinceCycle)) {
        slot++;
      }
      return slot;
    }

    int endOfIdle(int from, boolean evenSinceCycle) {
      int slot = from;
      while (slot < free.length && isIdle(slot, evenSinceCycle)) {
        slot++;
      }
      return slot;
    }
  }

  /** INV-RUN-1. */
  @ParameterizedTest
  @ValueSource(ints = {16, 48, 100, 500, 1024, 3000, 8192})
  void slots_areThoseOfTheModel(int sizeBytes) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("Run", sizeBytes));
    Run run = run(sizeBytes, true);
    Model model = new Model(run.slotCount);
    assertThat(run.slotCount).isEqualTo(SizeClasses.runBytes(run.sizeClass) / run.stepBytes);
    for (int round = 0; round < 3000; round++) {
      step(run, model, random);
      run.verify();
      assertThat(run.freeCount()).as(Seeds.hint()).isEqualTo(model.freeCount());
      assertThat(run.isFull()).isEqualTo(model.freeCount() == 0);
      assertThat(run.isEmpty()).isEqualTo(model.freeCount() == run.slotCount);
      boolean evenSinceCycle = random.nextBoolean();
      int from = random.nextInt(run.slotCount);
      int idle = run.nextIdle(from, evenSinceCycle);
      assertThat(idle).as(Seeds.hint()).isEqualTo(model.nextIdle(from, evenSinceCycle));
      if (idle < run.slotCount) {
        assertThat(run.endOfIdle(idle, evenSinceCycle))
            .as(Seeds.hint())
            .isEqualTo(model.endOfIdle(idle, evenSinceCycle));
      }
    }
  }

  private static void step(Run run, Model model, SplittableRandom random) {
    int slot = random.nextInt(run.slotCount);
    switch (random.nextInt(20)) {
      case 0 -> {
        run.beginCycle();
        Arrays.fill(model.freedSinceCycle, false);
        assertThat(run.wasEmpty()).isEqualTo(run.isEmpty());
      }
      case 1, 2 -> withdrawAndRestore(run, model, random);
      case 3, 4, 5, 6, 7, 8, 9 -> {
        assertThat(run.isFree(slot)).as(Seeds.hint()).isEqualTo(model.free[slot]);
        if (!model.free[slot]) {
          run.give(slot);
          model.free[slot] = true;
          model.freedSinceCycle[slot] = true;
        }
      }
      default -> {
        if (!run.isFull()) {
          int taken = run.take();
          assertThat(taken).as(Seeds.hint()).isEqualTo(model.lowestFree());
          model.free[taken] = false;
        }
      }
    }
  }

  /** Claimed memory has no owner, and is not freed since the last cycle when it returns. */
  private static void withdrawAndRestore(Run run, Model model, SplittableRandom random) {
    int from = run.nextIdle(random.nextInt(run.slotCount), false);
    if (from == run.slotCount) {
      return;
    }
    int end = run.endOfIdle(from, false);
    int freeCount = run.freeCount();
    run.withdraw(from, end);
    assertThat(run.freeCount()).isEqualTo(freeCount - (end - from));
    if (!run.isFull()) {
      int taken = run.take();
      assertThat(taken < from || taken >= end).as(Seeds.hint()).isTrue();
      model.free[taken] = false;
    }
    run.verify();
    run.restore(from, end);
  }

  @Test
  void addressesAndUnits_areWhereTheSlotsLie() {
    Run run = run(3000, true); // slots of 3 KiB, units of 1 KiB
    assertThat(run.stepBytes).isEqualTo(3072);
    assertThat(run.addressOf(2)).isEqualTo(run.page.addressOf(FIRST_UNIT) + 6144);
    assertThat(run.firstUnitOf(2)).isEqualTo(FIRST_UNIT + 6);
    assertThat(run.endUnitOf(2)).isEqualTo(FIRST_UNIT + 9);
    Run narrow = run(600, true); // slots of 640 bytes: the second one is in two units
    assertThat(narrow.stepBytes).isEqualTo(640);
    assertThat(narrow.firstUnitOf(1)).isEqualTo(FIRST_UNIT);
    assertThat(narrow.endUnitOf(1)).isEqualTo(FIRST_UNIT + 2);
  }

  @Test
  void slot_isStillZeroOnce_andOnlyInZeroMemory() {
    Run run = run(100, true);
    assertThat(run.isStillZero(run.take())).isTrue();
    assertThat(run.isStillZero(run.take())).isTrue();
    run.give(0);
    assertThat(run.isStillZero(run.take())).isFalse();
    assertThat(run.isStillZero(run.take())).isTrue();
    assertThat(run(100, false).isStillZero(0)).isFalse();
  }

  /** A slot in pages that went back to the kernel is passed over. */
  @Test
  void takeCommitted_takesTheLowestSlotThatIsCommittedThroughout() {
    Run run = run(2048, true); // two units each
    assertThat(run.stepBytes).isEqualTo(2048);
    run.page.markDiscarded(FIRST_UNIT, FIRST_UNIT + 4);
    run.page.markDiscarded(FIRST_UNIT + 7, FIRST_UNIT + 8);
    assertThat(run.isFirstCommitted()).isFalse();
    assertThat(run.takeCommitted()).isEqualTo(2);
    assertThat(run.takeCommitted()).isEqualTo(4);
    assertThat(run.isFree(2)).isFalse();
    run.page.markDiscarded(FIRST_UNIT, run.endUnit + 8); // and what is behind it as well
    int freeCount = run.freeCount();
    assertThat(run.takeCommitted()).isEqualTo(-1);
    assertThat(run.freeCount()).isEqualTo(freeCount);
    run.page.markRecommitted(FIRST_UNIT, run.endUnit);
    assertThat(run.isFirstCommitted()).isTrue();
    assertThat(run.takeCommitted()).isZero();
    run.verify();
  }

  @Test
  void list_hasTheRunsWithRoom() {
    RunList list = new RunList();
    Run a = run(100, true);
    Run b = run(100, true);
    Run c = run(100, true);
    assertThat(list.first()).isNull();
    list.add(a);
    assertThat(list.hasOthers(a)).isFalse();
    list.add(b);
    list.add(c);
    assertThat(list.first()).isSameAs(c);
    list.remove(b);
    assertThat(b.isListed).isFalse();
    assertThat(c.next).isSameAs(a);
    assertThat(a.previous).isSameAs(c);
    assertThat(list.hasOthers(a)).isTrue();
    list.remove(c);
    assertThat(list.first()).isSameAs(a);
    list.remove(a);
    assertThat(list.first()).isNull();
    list.add(b);
    assertThat(b.next).isNull();
    assertThat(b.isListed).isTrue();
  }

  @Test
  void list_beginsWithARun_andGoesOnWithThoseBehindIt_andBeforeIt() {
    RunList list = new RunList();
    Run[] runs = new Run[5];
    for (int i = 4; i >= 0; i--) {
      runs[i] = run(100, true);
      list.add(runs[i]);
    }
    list.beginWith(runs[0]);
    assertThat(inOrder(list)).containsExactly(runs[0], runs[1], runs[2], runs[3], runs[4]);
    list.beginWith(runs[3]);
    assertThat(inOrder(list)).containsExactly(runs[3], runs[4], runs[0], runs[1], runs[2]);
    list.remove(runs[2]);
    list.remove(runs[0]);
    list.beginWith(runs[1]);
    assertThat(inOrder(list)).containsExactly(runs[1], runs[3], runs[4]);
    list.remove(runs[1]);
    list.remove(runs[4]);
    list.remove(runs[3]);
    assertThat(inOrder(list)).isEmpty();
    list.add(runs[0]);
    list.add(runs[1]);
    list.beginWith(runs[0]);
    assertThat(inOrder(list)).containsExactly(runs[0], runs[1]);
  }

  /** Forwards, which has to be the same as backwards. */
  private static List<Run> inOrder(RunList list) {
    List<Run> runs = new ArrayList<>();
    Run previous = null;
    for (Run run = list.first(); run != null; run = run.next) {
      assertThat(run.previous).isSameAs(previous);
      runs.add(run);
      previous = run;
    }
    return runs;
  }

  @Test
  void pageKnowsItsRuns() {
    SmallPage page = paper.smallPage(0, true);
    Run[] runs = new Run[5];
    for (int i = 0; i < 5; i++) {
      page.take(16 * i, 16 * i + 16);
      runs[i] = new Run(page, 3, 16 * i, 16 * i + 16, true);
      page.add(runs[i]);
    }
    page.remove(runs[1]);
    page.remove(runs[4]);
    page.remove(runs[0]);
    assertThat(page.runCount()).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      assertThat(page.run(i).indexInPage).isEqualTo(i);
    }
    assertThat(new Run[] {page.run(0), page.run(1)}).containsExactlyInAnyOrder(runs[2], runs[3]);
    assertThat(runs[4].indexInPage).isEqualTo(-1);
    page.verify();
  }

  /** A cycle of the page is one of its runs. */
  @Test
  void cycle_beginsForThePageAndItsRuns() {
    SmallPage page = paper.smallPage(0, true);
    Run empty = addRun(page, 0);
    Run used = addRun(page, 16);
    int slot = used.take();
    page.give(100, 101);
    assertThat(page.nextIdle(100, false)).isNotEqualTo(100);
    assertThat(empty.nextIdle(0, false)).isEqualTo(empty.slotCount);
    page.beginCycle();
    assertThat(page.nextIdle(100, false)).isEqualTo(100);
    assertThat(empty.nextIdle(0, false)).isZero();
    assertThat(empty.wasEmpty()).isTrue();
    assertThat(used.wasEmpty()).isFalse();
    used.give(slot);
    assertThat(used.nextIdle(0, false)).isEqualTo(slot + 1);
  }

  private static Run addRun(SmallPage page, int firstUnit) {
    page.take(firstUnit, firstUnit + 16);
    Run run = new Run(page, 3, firstUnit, firstUnit + 16, true);
    page.add(run);
    return run;
  }

  @Test
  void verifyOfAPage_tellsWhatIsWrongInItAndInItsRuns() {
    SmallPage page = paper.smallPage(0, true);
    page.verify();
    page.take(10, 20);
    page.take(10, 20);
    assertThatThrownBy(page::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessageStartingWith("INV-PAGE-1 used units are not those marked: ");
    SmallPage other = paper.smallPage(1, true);
    Run run = addRun(other, 0);
    other.verify();
    run.give(run.take());
    run.give(0);
    assertThatThrownBy(other::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage("INV-RUN-1 free slots are not those marked: " + run);
  }

  /** INV-RUN-2. */
  @Test
  void verify_tellsUnitsThatAreNotTheRunsAnyMore() {
    Run run = run(100, true);
    run.page.give(FIRST_UNIT + 3, FIRST_UNIT + 4);
    assertThatThrownBy(run::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage("INV-RUN-2 units of a run are free: " + run);
  }

  /** INV-RUN-1. */
  @Test
  void verify_tellsSlotsThatWereGivenTwice() {
    Run run = run(100, true);
    int slot = run.take();
    run.give(slot);
    run.give(slot);
    assertThatThrownBy(run::verify)
        .isExactlyInstanceOf(AssertionError.class)
        .hasMessage("INV-RUN-1 free slots are not those marked: " + run)
        .hasMessageContaining("slotBytes=112, slotCount=146, freeCount=147");
  }

  private Run run(int sizeBytes, boolean isZero) {
    SmallPage page = paper.smallPage(0, isZero);
    int sizeClass = SizeClasses.of(sizeBytes);
    int end = FIRST_UNIT + page.unitsOf(SizeClasses.runBytes(sizeClass));
    page.take(FIRST_UNIT, end);
    return new Run(page, sizeClass, FIRST_UNIT, end, isZero);
  }
}
