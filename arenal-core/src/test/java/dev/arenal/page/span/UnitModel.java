package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.util.Arrays;

/** A page in arrays of booleans, one per unit: slow, and plainly right. */
final class UnitModel {
  final HeapPage page;
  final boolean[] used;
  final boolean[] freedSinceCycle;
  final boolean[] discarded;
  final boolean[] dirty;
  final int osUnits;

  UnitModel(HeapPage page) {
    this.page = page;
    this.osUnits = page.unitsPerOsPage;
    this.used = new boolean[page.unitCount];
    this.freedSinceCycle = new boolean[page.unitCount];
    this.discarded = new boolean[page.unitCount];
    this.dirty = new boolean[page.unitCount];
    Arrays.fill(freedSinceCycle, true);
    Arrays.fill(dirty, !page.memory.isZero);
  }

  /**
   * The work of a heap on a buffer whose units it has taken, the kernel being willing; returns
   * whether it was dirty.
   */
  boolean take(int from, int to) {
    int start = from & -osUnits;
    int end = (to + osUnits - 1) & -osUnits;
    int at = page.nextDiscarded(start, end);
    assertThat(at).as(Seeds.hint()).isEqualTo(next(discarded, true, start, end));
    assertThat(page.isDiscarded(start, end)).isEqualTo(at < end);
    while (at < end) {
      int committed = page.nextCommitted(at, end);
      assertThat(committed).as(Seeds.hint()).isEqualTo(next(discarded, false, at, end));
      page.markRecommitted(at, committed);
      Arrays.fill(discarded, at, committed, false);
      at = page.nextDiscarded(committed, end);
    }
    Arrays.fill(used, from, to, true);
    boolean wasDirty = next(dirty, true, from, to) < to;
    Arrays.fill(dirty, from, to, true);
    return wasDirty;
  }

  void give(int from, int to) {
    page.give(from, to);
    Arrays.fill(used, from, to, false);
    Arrays.fill(freedSinceCycle, from, to, true);
  }

  /** The way of free OS pages: without an owner, then gone, then free again. */
  void discard(int from, int to) {
    page.take(from, to);
    page.markDiscarded(from, to);
    page.give(from, to);
    Arrays.fill(freedSinceCycle, from, to, true);
    Arrays.fill(discarded, from, to, true);
    Arrays.fill(dirty, from, to, false);
  }

  void beginCycle() {
    page.beginCycle();
    Arrays.fill(freedSinceCycle, false);
    assertThat(page.wasEmpty()).as(Seeds.hint()).isEqualTo(count(used) == 0);
  }

  boolean isIdle(int unit, boolean evenSinceCycle) {
    return !used[unit] && !discarded[unit] && (evenSinceCycle || !freedSinceCycle[unit]);
  }

  int nextIdle(int from, boolean evenSinceCycle) {
    int at = from;
    while (at < used.length && !isIdle(at, evenSinceCycle)) {
      at++;
    }
    return at;
  }

  int endOfIdle(int from, boolean evenSinceCycle) {
    int at = from;
    while (at < used.length && isIdle(at, evenSinceCycle)) {
      at++;
    }
    return at;
  }

  /** The longest range of units that are free, and committed if asked for. */
  int longest(boolean mustBeCommitted) {
    int longest = 0;
    int length = 0;
    for (int i = 0; i < used.length; i++) {
      length = used[i] || (mustBeCommitted && discarded[i]) ? 0 : length + 1;
      longest = Math.max(longest, length);
    }
    return longest;
  }

  /** Figures that the page must agree with. */
  void compare() {
    page.verify();
    int free = 0;
    for (int i = 0; i < used.length; i++) {
      free += !used[i] && !discarded[i] ? 1 : 0;
    }
    assertThat(page.usedUnits()).as(Seeds.hint()).isEqualTo(count(used));
    assertThat(page.isEmpty()).isEqualTo(count(used) == 0);
    assertThat(page.discardedUnits()).as(Seeds.hint()).isEqualTo(count(discarded));
    assertThat(page.discardedBytes()).isEqualTo((long) count(discarded) << page.unitShift);
    assertThat(page.freeBytes()).as(Seeds.hint()).isEqualTo((long) free << page.unitShift);
    // INV-PAGE-2
    assertThat(page.longestFree()).as(Seeds.hint()).isGreaterThanOrEqualTo(longest(false));
    int committed = longest(true);
    assertThat(page.longestCommitted())
        .as(Seeds.hint())
        .isBetween(committed, committed + committed / 32);
  }

  static int next(boolean[] bits, boolean value, int from, int to) {
    int at = from;
    while (at < to && bits[at] != value) {
      at++;
    }
    return at;
  }

  static int count(boolean[] bits) {
    int count = 0;
    for (boolean bit : bits) {
      count += bit ? 1 : 0;
    }
    return count;
  }
}
