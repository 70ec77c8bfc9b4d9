package dev.arenal.lab.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Arguments that are accepted, and the sizes that follow from them. */
final class MediumPlanTest {
  private static final long MIB = 1 << 20;

  @Test
  void pagesFollowTheCapacity() {
    assertThat(pageBytes(128)).isEqualTo(4 * MIB);
    assertThat(pageBytes(255)).isEqualTo(4 * MIB);
    assertThat(pageBytes(256)).isEqualTo(8 * MIB);
    assertThat(pageBytes(1024)).isEqualTo(32 * MIB);
    assertThat(pageBytes(1 << 20)).isEqualTo(32 * MIB);
    assertThat(new MediumPlan(1, 1, 512 * MIB).largestMediumBufferBytes()).isEqualTo(2 * MIB);
  }

  @Test
  void variantsTakeTurnsInBothOrders() {
    assertThat(MediumPlan.ORDER).containsExactly(false, true, true, false);
  }

  @Test
  void lab_isShort() {
    int runCount = MediumPlan.ORDER.size();
    assertThat(MediumPlan.lab(false).seconds() * runCount).isLessThan(10);
    assertThat(MediumPlan.lab(true).seconds() * runCount).isLessThan(5);
    assertThat(MediumPlan.lab(true).capacityBytes()).isEqualTo(MediumPlan.usual().capacityBytes());
  }

  @Test
  void whatCannotBeRun_isRefused() {
    assertThatThrownBy(() -> new MediumPlan(0, 1, 512 * MIB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run with that many threads: threads=0 (expected 1 to 1024)");
    assertThatThrownBy(() -> new MediumPlan(1025, 1, 512 * MIB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run with that many threads: threads=1025 (expected 1 to 1024)");
    assertThatThrownBy(() -> new MediumPlan(1, 0, 512 * MIB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run for that long: seconds=0 (expected 1 to 3600)");
    assertThatThrownBy(() -> new MediumPlan(1, 3601, 512 * MIB))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run for that long: seconds=3601 (expected 1 to 3600)");
    assertThatThrownBy(() -> new MediumPlan(1, 1, 128 * MIB - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "capacity is too small for medium pages: capacityBytes=134217727 (expected at least"
                + " 134217728)");
  }

  @Test
  void moreMemoryThanThereIs_isRefused() {
    assertThatThrownBy(() -> new MediumPlan(1, 1, Long.MAX_VALUE).checkMemory())
        .isInstanceOf(IOException.class)
        .hasMessageMatching(
            "this machine does not have the memory: capacityBytes=9223372036854775807,"
                + " availableBytes=\\d+ \\(expected at most what is available less"
                + " 268435456\\)");
  }

  private static long pageBytes(long capacityMib) {
    return new MediumPlan(1, 1, capacityMib * MIB).mediumPageBytes();
  }
}
