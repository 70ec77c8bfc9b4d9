package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Rows, refusals, the end, and many threads. */
final class StatisticsRecorderTest {
  private static final StatisticsUnit OPS = StatisticsUnit.OPERATIONS_PER_SECOND;

  private final SimulatedClock clock = new SimulatedClock();
  private final StatisticsRecorder recorder = new StatisticsRecorder("Test", "one", clock);

  @Test
  void rows_areSortedByGroupAndName() {
    var _ = recorder.counter("Memory", "Uncommit", OPS);
    var _ = recorder.counter("Critical", "Wait", OPS);
    var _ = recorder.counter("Memory", "Defragment", OPS);
    assertThat(recorder.snapshot().rows())
        .extracting(row -> row.group() + ": " + row.row())
        .containsExactly("Critical: Wait", "Memory: Defragment", "Memory: Uncommit");
    assertThat(recorder.snapshot().row("Memory", "Wait")).isEmpty();
  }

  /** As the original has stalls twice: how many and how long. */
  @Test
  void rowsOfOneName_mayDifferInTheirUnit() {
    var _ = recorder.sampler("Critical", "Stall", StatisticsUnit.NANOSECONDS);
    var _ = recorder.counter("Critical", "Stall", OPS);
    StatisticsTable table = recorder.snapshot();
    assertThat(table.rows())
        .extracting(StatisticsRow::unit)
        .containsExactly(OPS, StatisticsUnit.NANOSECONDS);
    assertThat(table.row("Critical", "Stall", StatisticsUnit.NANOSECONDS))
        .contains(table.rows().getLast());
    assertThat(table.row("Critical", "Stall")).contains(table.rows().getFirst());
    assertThat(table.row("Critical", "Stall", StatisticsUnit.BYTES)).isEmpty();
  }

  @Test
  void badInput_isRefusedAndChangesNothing() {
    Counter counter = recorder.counter("Memory", "Count", OPS);
    Sampler sampler = recorder.sampler("Memory", "Size", StatisticsUnit.BYTES);
    assertThatThrownBy(() -> counter.add(-1))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("counted amount is negative: amount=-1 (expected 0 or more)");
    assertThatThrownBy(() -> sampler.sample(-2))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("sampled value is negative: value=-2 (expected 0 or more)");
    assertThatThrownBy(() -> recorder.counter("Memory", "Count", OPS))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "row of statistics exists: group=Memory, row=Count, unit=OPERATIONS_PER_SECOND");
    clock.advanceMillis(1000);
    assertThat(recorder.snapshot().rows())
        .extracting(StatisticsRow::total)
        .containsExactly(new Window(0, 0, 0, 1), new Window(0, 0, 0, 0));
  }

  @Test
  void largestValues_doNotOverflow() {
    Sampler sampler = recorder.sampler("Memory", "Size", StatisticsUnit.BYTES);
    for (int i = 0; i < 3; i++) {
      sampler.sample(Long.MAX_VALUE);
      clock.advanceMillis(1000);
      recorder.tick();
    }
    assertThat(recorder.snapshot().rows().getFirst().total())
        .isEqualTo(new Window(Long.MAX_VALUE / 3, Long.MAX_VALUE, Long.MAX_VALUE, 3));
  }

  @Test
  void close_afterHalfASecondOrInTheFirst_takesALastSample() {
    AtomicLong total = new AtomicLong();
    recorder.counter("Memory", "Count", OPS, total::get);
    total.set(10);
    clock.advanceMillis(100);
    recorder.close();
    total.set(1000); // no caller asks any more
    clock.advanceMillis(10_000);
    assertThat(only().total()).isEqualTo(new Window(10, 10, 10, 1));
    assertThat(only().sumEver()).isEqualTo(10);
    recorder.close();
    assertThatThrownBy(() -> recorder.counter("Memory", "More", OPS))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("statistics are closed: kind=Test, name=one (expected open ones)");
  }

  @Test
  void close_soonAfterASample_leavesTheRestPending() {
    Counter counter = recorder.counter("Memory", "Count", OPS);
    Sampler sampler = recorder.sampler("Memory", "Size", StatisticsUnit.BYTES);
    counter.add(100);
    sampler.sample(5);
    clock.advanceMillis(1000);
    recorder.tick();
    counter.add(3);
    sampler.sample(6);
    clock.advanceMillis(300);
    recorder.close();
    counter.add(1);
    sampler.sample(7);
    List<StatisticsRow> rows = recorder.snapshot().rows();
    assertThat(rows.get(0).total()).isEqualTo(new Window(100, 100, 100, 1));
    assertThat(rows.get(0).sumEver()).isEqualTo(103);
    assertThat(rows.get(1).total()).isEqualTo(new Window(5, 5, 5, 1));
    assertThat(rows.get(1).sumEver()).isEqualTo(11);
  }

  @Test
  void rowAddedLater_hasThatManySamplesLess() {
    clock.advanceMillis(3000);
    recorder.tick();
    Counter counter = recorder.counter("Memory", "Count", OPS);
    counter.add(8);
    clock.advanceMillis(2000);
    assertThat(only().total()).isEqualTo(new Window(4, 4, 8, 2));
  }

  @Test
  void manyThreads_loseNothing() throws InterruptedException {
    Counter counter = recorder.counter("Memory", "Count", OPS);
    Sampler sampler = recorder.sampler("Memory", "Size", StatisticsUnit.BYTES);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Runnable body =
          () -> {
            for (int n = 0; n < 20_000; n++) {
              counter.add(2);
              sampler.sample(3);
            }
          };
      threads.add(i % 2 == 0 ? Thread.startVirtualThread(body) : Thread.ofPlatform().start(body));
    }
    while (threads.stream().anyMatch(Thread::isAlive)) {
      clock.advanceMillis(1000);
      recorder.tick();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    clock.advanceMillis(1000);
    List<StatisticsRow> rows = recorder.snapshot().rows();
    assertThat(rows.get(0).total().sum()).isEqualTo(160_000);
    Window sizes = rows.get(1).total();
    assertThat(sizes).isEqualTo(new Window(3, 3, 240_000, 80_000));
  }

  private StatisticsRow only() {
    return recorder.snapshot().rows().getFirst();
  }
}
