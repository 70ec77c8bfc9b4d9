package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Arguments that are accepted, and the plan that follows from them. */
final class PretouchPlanTest {
  private static final long GIB = PretouchPlan.GIB;
  private static final long MIB = PretouchPlan.MIB;

  @Test
  void sizes_areSortedAndOnlyOnce() {
    PretouchPlan plan = new PretouchPlan(List.of(4 * GIB, GIB, 4 * GIB), List.of(), 2, 1, 1);
    assertThat(plan.sizesBytes()).containsExactly(GIB, 4 * GIB);
  }

  @Test
  void size_needsWhatStandsBesideIt() {
    assertThat(PretouchPlan.needBytes(4 * GIB)).isEqualTo(5 * GIB);
    PretouchPlan plan = Pretouches.plan();
    assertThat(plan.fitting(5 * GIB)).containsExactly(GIB, 4 * GIB);
    assertThat(plan.leftOut(5 * GIB)).isEmpty();
    assertThat(plan.fitting(5 * GIB - 1)).containsExactly(GIB);
    assertThat(plan.leftOut(5 * GIB - 1))
        .containsExactly(
            "4 GiB is left out: it does not fit: neededBytes=5368709120,"
                + " availableBytes=5368709119");
  }

  @Test
  void oneThread_isAllOfThem() {
    PretouchPlan plan = new PretouchPlan(List.of(GIB), List.of(), 1, 1, 1);
    assertThat(plan.subjects())
        .extracting(PretouchSubject::label)
        .containsExactly(
            "Arenal, touch, 1 thread",
            "Arenal, populate, 1 thread",
            "Arenal, populate, huge pages, 1 thread",
            "C, populate, 1 thread",
            "C, populate, huge pages, 1 thread",
            "C, clear, 1 thread");
  }

  @Test
  void lab_isShort() {
    PretouchPlan quick = PretouchPlan.lab(true, List.of(Pretouches.jvm()));
    assertThat(quick.subjects()).hasSizeLessThan(10);
    assertThat(quick.sizesBytes()).hasSize(1);
    assertThat(quick.sizesBytes().getFirst()).isLessThanOrEqualTo(GIB);
    assertThat(PretouchPlan.lab(false, List.of(Pretouches.jvm())).subjects())
        .hasSizeGreaterThan(20);
  }

  @Test
  void sizes_haveNames() {
    assertThat(PretouchPlan.sizeText(4 * GIB)).isEqualTo("4 GiB");
    assertThat(PretouchPlan.sizeText(64 * MIB)).isEqualTo("64 MiB");
    assertThat(PretouchPlan.sizeText(1536 * MIB)).isEqualTo("1.5 GiB");
  }

  @Test
  void whatCannotBeMeasured_isRefused() {
    for (long wrong : new long[] {0, 62 * MIB, 65 * MIB}) {
      assertThatThrownBy(() -> new PretouchPlan(List.of(wrong), List.of(), 1, 1, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "size cannot be measured: sizeBytes=%d (expected a multiple of 2097152, at least"
                      .formatted(wrong)
                  + " 67108864)");
    }
    assertThatThrownBy(() -> new PretouchPlan(List.of(GIB), List.of(), 1025, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot touch with that many threads: threads=1025 (expected 1 to 1024)");
    assertThatThrownBy(() -> new PretouchPlan(List.of(GIB), List.of(), 1, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run that often: runs=0 (expected 1 to 100)");
    assertThatThrownBy(() ->
            PretouchResult.of(
                PretouchSubject.arenal(PretouchSubject.Method.TOUCH, false, 1),
                GIB,
                List.of(),
                List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("result without a run: subject=Arenal, touch, 1 thread");
  }
}
