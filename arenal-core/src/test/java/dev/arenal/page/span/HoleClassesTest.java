package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Lengths of holes in classes: each in one, in their order, and narrow. */
final class HoleClassesTest {
  @Test
  void everyLength_isInTheClassThatSaysSo() {
    int before = 0;
    for (int length = 1; length <= 9000; length++) {
      int holeClass = HoleClasses.of(length);
      assertThat(holeClass).isBetween(before, before + 1);
      assertThat(length).isBetween(HoleClasses.shortest(holeClass), HoleClasses.longest(holeClass));
      before = holeClass;
    }
    assertThat(before).isEqualTo(HoleClasses.COUNT - 1);
    assertThat(HoleClasses.of(Integer.MAX_VALUE)).isEqualTo(before);
    assertThat(HoleClasses.WORDS * Long.SIZE).isGreaterThanOrEqualTo(HoleClasses.COUNT);
  }

  @Test
  void classes_areExactUpTo63_andAThirtySecondWideFromThereOn() {
    for (int length = 1; length < 64; length++) {
      assertThat(HoleClasses.longest(HoleClasses.of(length))).isEqualTo(length);
    }
    for (int length = 64; length < 2048; length++) {
      int holeClass = HoleClasses.of(length);
      int width = HoleClasses.longest(holeClass) - HoleClasses.shortest(holeClass) + 1;
      assertThat(width).isLessThanOrEqualTo(length / 32);
    }
  }

  @Test
  void surely_isTheFirstClassWithRoomInEachHole() {
    for (int length = 1; length <= 2048; length++) {
      int holeClass = HoleClasses.surely(length);
      assertThat(HoleClasses.shortest(holeClass)).isGreaterThanOrEqualTo(length);
      assertThat(HoleClasses.shortest(holeClass - 1)).isLessThan(length);
    }
    assertThat(HoleClasses.surely(2049)).isEqualTo(HoleClasses.COUNT);
  }
}
