package dev.arenal.lab.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.page.PageAllocator;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.Window;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The load itself, for moments. */
final class MediumLoadTest {
  private static final MediumPlan SMALL = new MediumPlan(3, 1, MediumPlan.LEAST_CAPACITY_BYTES);

  @Test
  void run_hasFiguresOfAllRows() throws Exception {
    MediumResult result = new MediumWork(SMALL, true).measure();
    assertThat(result.seconds()).isBetween(1.0, 30.0);
    assertThat(result.allocationCount()).isPositive();
    // Small and large ones are not timed.
    assertThat(result.latencies().getTotalCount())
        .isPositive()
        .isLessThan(result.allocationCount());
    assertThat(result.allocated().total())
        .isGreaterThanOrEqualTo(result.timeline().getLast().allocatedBytes());
    assertThat(result.allocated().max()).isPositive();
    assertThat(result.pages().total()).isPositive();
    assertThat(result.undone()).isEqualTo(new MediumFigure(0, 0, 0));
    assertThat(result.table()).contains("Memory: Undo Page Allocation");
  }

  @Test
  void load_freesEverything() throws Exception {
    try (PageAllocator allocator =
        PageAllocator.builder("pages").capacityBytes(SMALL.capacityBytes()).build()) {
      MediumLoad.Outcome outcome =
          new MediumLoad(allocator, SMALL).run(TimeUnit.MILLISECONDS.toNanos(100));
      assertThat(outcome.allocationCount()).isPositive();
      assertThat(allocator.usedBytes()).isZero();
    }
  }

  /** A load whose threads go on would allocate from a closed allocator, and keep the process. */
  @Test
  void interruptedLoad_endsItsThreadsAndFreesEverything() throws Exception {
    try (PageAllocator allocator =
        PageAllocator.builder("pages").capacityBytes(SMALL.capacityBytes()).build()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> new MediumLoad(allocator, SMALL).run(TimeUnit.SECONDS.toNanos(20)))
          .isInstanceOf(InterruptedException.class);
      assertThat(allocator.usedBytes()).isZero();
    }
  }

  @Test
  void loadThatDoesNotFit_fails() {
    try (PageAllocator tooSmall = PageAllocator.builder("pages").capacityBytes(16 << 20).build()) {
      assertThatThrownBy(() -> new MediumLoad(tooSmall, SMALL).run(TimeUnit.SECONDS.toNanos(20)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "a thread of the load failed: dev.arenal.OutOfNativeMemoryError: ");
      assertThat(tooSmall.usedBytes()).isZero();
    }
  }

  /** The run ends in the middle of a second of the table, and begins in the middle of another. */
  @Test
  void highestSecond_isNeitherBelowTheAverageNorBlindToTheEnd() {
    assertThat(figure(3_000, 2_500, 1.0)).isEqualTo(new MediumFigure(5_500, 5_500, 5_500));
    assertThat(figure(0, 1, 2.0)).isEqualTo(new MediumFigure(0.5, 1, 1));
    assertThat(figure(0, 3, 2.0)).isEqualTo(new MediumFigure(1.5, 3, 3));
    assertThat(figure(9, 0, 2.0)).isEqualTo(new MediumFigure(4.5, 9, 9));
    assertThat(figure(0, 0, 2.0)).isEqualTo(new MediumFigure(0, 0, 0));
  }

  private static MediumFigure figure(long sampled, long pending, double seconds) {
    Window window = new Window(sampled, sampled, sampled, 1);
    StatisticsRow row =
        new StatisticsRow(
            "Memory",
            "Page Cache Flush",
            StatisticsUnit.BYTES_PER_SECOND,
            window,
            window,
            window,
            window,
            pending);
    StatisticsTable table = new StatisticsTable("PageAllocator", "x", List.of(row));
    return MediumWork.figure(table, "Page Cache Flush", seconds);
  }

  @Test
  void rowThatIsNotThere_isNamed() {
    StatisticsTable table = new StatisticsTable("PageAllocator", "x", List.of());
    assertThatThrownBy(() -> MediumWork.figure(table, "Defragment", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("statistics have no such row: group=Memory, row=Defragment");
  }
}
