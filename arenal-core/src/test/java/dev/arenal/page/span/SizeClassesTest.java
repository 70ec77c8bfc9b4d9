package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Laws of the classes, for every size. */
final class SizeClassesTest {
  @Test
  void everySize_hasTheSmallestSlotThatFits() {
    for (int sizeBytes = 0; sizeBytes <= SizeClasses.LARGEST_BYTES; sizeBytes++) {
      int sizeClass = SizeClasses.of(sizeBytes);
      assertThat(sizeClass).as("size %d", sizeBytes).isBetween(0, SizeClasses.COUNT - 1);
      assertThat(SizeClasses.slotBytes(sizeClass)).isGreaterThanOrEqualTo(sizeBytes);
      if (sizeClass > 0) {
        assertThat(SizeClasses.slotBytes(sizeClass - 1)).isLessThan(sizeBytes);
      }
    }
  }

  @Test
  void classes_ascendInMultiplesOf16_toTheLargest() {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      int slotBytes = SizeClasses.slotBytes(sizeClass);
      assertThat(SizeClasses.of(slotBytes)).isEqualTo(sizeClass);
      assertThat(slotBytes % 16).as("class %d", sizeClass).isZero();
      if (sizeClass > 0) {
        assertThat(slotBytes).isGreaterThan(SizeClasses.slotBytes(sizeClass - 1));
      }
    }
    assertThat(SizeClasses.slotBytes(0)).isEqualTo(16);
    assertThat(SizeClasses.slotBytes(SizeClasses.COUNT - 1)).isEqualTo(SizeClasses.LARGEST_BYTES);
  }

  @Test
  void waste_isAnEighthAtMost_andASixteenthOnAverage() {
    double sum = 0;
    for (int sizeBytes = 1; sizeBytes <= SizeClasses.LARGEST_BYTES; sizeBytes++) {
      int wasteBytes = SizeClasses.slotBytes(SizeClasses.of(sizeBytes)) - sizeBytes;
      assertThat(wasteBytes).as("size %d", sizeBytes).isLessThan(Math.max(16, sizeBytes / 8 + 1));
      sum += sizeBytes <= 128 ? 0 : (double) wasteBytes / sizeBytes;
    }
    assertThat(sum / (SizeClasses.LARGEST_BYTES - 128)).isBetween(1 / 32.0, 1 / 16.0);
  }

  @Test
  void runs_areWholeUnits_hardlyLargerThanTheirSlots() {
    for (int sizeClass = 0; sizeClass < SizeClasses.COUNT; sizeClass++) {
      int slotBytes = SizeClasses.slotBytes(sizeClass);
      int runBytes = SizeClasses.runBytes(sizeClass);
      assertThat(runBytes).as("class %d", sizeClass).isBetween(16 << 10, 64 << 10);
      assertThat(runBytes % HeapPage.SMALL_UNIT_BYTES).isZero();
      int restBytes = runBytes % slotBytes;
      assertThat(restBytes).as("class %d", sizeClass).isLessThan(HeapPage.SMALL_UNIT_BYTES);
      int leastSlots = Math.min(32, (64 << 10) / slotBytes);
      assertThat(runBytes / slotBytes).isGreaterThanOrEqualTo(leastSlots);
    }
  }
}
