package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A full Java heap as the seconds of a round become one slot of the next window. */
final class RoundFaultTest {
  @Test
  void fullHeap_losesNoSampleOfAWindow() {
    assertThat(FaultSweep.everyPlace(Rounds.class, Fault.HEAP, 1)).isGreaterThan(3);
    assertThat(FaultSweep.fromEveryPlace(Rounds.class, Fault.HEAP, 1)).isGreaterThan(3);
  }

  /** Comes to the end of ten seconds and of ten minutes. */
  public static final class Rounds implements FaultProgram {
    private static final long SECONDS_BEFORE = 599;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong count = new AtomicLong();
    private final StatisticsRecorder recorder = new StatisticsRecorder("k", "n", nanos::get);
    private final Sampler sampler = recorder.sampler("g", "values", StatisticsUnit.NANOSECONDS);

    /** For the sweep. */
    public Rounds() {
      recorder.counter("g", "counts", StatisticsUnit.BYTES, count::get);
    }

    private void pass() {
      var _ = count.addAndGet(3);
      sampler.sample(5);
      var _ = nanos.addAndGet(StatisticsRecorder.SECOND_NANOS);
      recorder.tick();
    }

    @Override
    public void prepare() {
      for (int i = 0; i < SECONDS_BEFORE; i++) {
        pass();
      }
    }

    @Override
    public void operate() {
      pass();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      pass();
      for (StatisticsRow row : recorder.snapshot().rows()) {
        long each = row.unit() == StatisticsUnit.BYTES ? 3 : 5;
        assertThat(row.total().sum()).isEqualTo(each * (SECONDS_BEFORE + 2));
        assertThat(row.total().sampleCount()).isEqualTo(SECONDS_BEFORE + 2);
        assertThat(row.last10h()).as("all of it").isEqualTo(row.total());
      }
      recorder.close();
    }
  }
}
