package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.Window;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Samples that are taken late: a thread that did not run, a process that was stopped. */
final class LateTickTest {
  private final SimulatedClock clock = new SimulatedClock();
  private final StatisticsRecorder recorder = new StatisticsRecorder("Test", "late", clock);
  private final Counter counter =
      recorder.counter("Memory", "Count", StatisticsUnit.OPERATIONS_PER_SECOND);

  @Test
  void early_takesNothing() {
    counter.add(5);
    clock.advanceMillis(999);
    assertThat(row().total()).isEqualTo(new Window(0, 0, 0, 0));
    assertThat(row().pending()).isEqualTo(5);
    assertThat(row().sumEver()).isEqualTo(5);
  }

  @Test
  void aLittleLate_isOneSampleOfAll() {
    counter.add(10);
    clock.advanceMillis(1099);
    assertThat(row().total()).isEqualTo(new Window(10, 10, 10, 1));
    assertThat(row().pending()).isZero();
  }

  @Test
  void secondsLate_areSpreadOverTheSeconds() {
    counter.add(53);
    clock.advanceMillis(5000);
    assertThat(row().last10s()).isEqualTo(new Window(10, 11, 53, 5));
    assertThat(row().pending()).isZero();
  }

  @Test
  void partOfASecondLate_staysForThatSecond() {
    counter.add(55);
    clock.advanceMillis(5500);
    assertThat(row().total()).isEqualTo(new Window(10, 10, 50, 5));
    assertThat(row().pending()).isEqualTo(5);
    counter.add(5);
    clock.advanceMillis(500);
    assertThat(row().total()).isEqualTo(new Window(10, 10, 60, 6));
  }

  @Test
  void fewEvents_areNotLostByDivision() {
    counter.add(1);
    clock.advanceMillis(1999);
    assertThat(row().total()).isEqualTo(new Window(1, 1, 1, 1));
  }

  @Test
  void values_areNotDivided() {
    Sampler sampler = recorder.sampler("Critical", "Wait", StatisticsUnit.NANOSECONDS);
    sampler.sample(100);
    sampler.sample(300);
    clock.advanceMillis(7500);
    StatisticsRow row = recorder.snapshot().row("Critical", "Wait").orElseThrow();
    assertThat(row.last10s()).isEqualTo(new Window(200, 300, 400, 2));
    clock.advanceMillis(9500); // ten seconds without a value
    row = recorder.snapshot().row("Critical", "Wait").orElseThrow();
    assertThat(row.last10s()).isEqualTo(new Window(0, 0, 0, 0));
    assertThat(row.total()).isEqualTo(new Window(200, 300, 400, 2));
  }

  @Test
  void stoppedForHours_leavesTheWindowsAsLongAsTheyAre() {
    counter.add(86_400);
    clock.advanceMillis(86_400_000);
    assertThat(row().last10s()).isEqualTo(new Window(1, 1, 10, 10));
    assertThat(row().last10m()).isEqualTo(new Window(1, 1, 600, 600));
    assertThat(row().last10h()).isEqualTo(new Window(1, 1, 36_000, 36_000));
    assertThat(row().total()).isEqualTo(new Window(1, 1, 86_400, 86_400));
  }

  /** A steady rate, sampled at any times, shows that rate and no peak. */
  @Test
  void steadyRate_sampledAtRandom_staysSteady() {
    long seed = Seeds.derive("LateTickTest", 0);
    Random random = new Random(seed);
    long elapsedMillis = 0;
    for (int i = 0; i < 5000; i++) {
      long stepMillis = random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(1200);
      elapsedMillis += stepMillis;
      counter.add(1000 * stepMillis);
      clock.advanceMillis(stepMillis);
      StatisticsRow row = row();
      assertThat(row.total().sampleCount()).isEqualTo(elapsedMillis / 1000);
      assertThat(row.sumEver()).as(Seeds.hint()).isEqualTo(1000 * elapsedMillis);
      // On-time samples are up to a tenth of a second late, or begin that much later.
      assertThat(row.total().max()).as(Seeds.hint()).isLessThanOrEqualTo(1_100_000);
      if (elapsedMillis > 60_000) {
        assertThat(row.last10m().average()).as(Seeds.hint()).isBetween(980_000L, 1_010_000L);
      }
    }
  }

  @Test
  void totalOfTheOwner_isTakenFromWhereItWas() {
    AtomicLong total = new AtomicLong(1_000_000);
    recorder.counter("Memory", "Owned", StatisticsUnit.BYTES_PER_SECOND, total::get);
    total.addAndGet(42);
    clock.advanceMillis(1000);
    assertThat(owned().total()).isEqualTo(new Window(42, 42, 42, 1));
    total.set(7); // wrong, and counts as nothing until it is beyond what it was
    clock.advanceMillis(1000);
    assertThat(owned().total()).isEqualTo(new Window(21, 42, 42, 2));
    total.set(1_000_045);
    clock.advanceMillis(1000);
    assertThat(owned().total()).isEqualTo(new Window(15, 42, 45, 3));
  }

  @Test
  void ownerThatThrows_isARowWithoutNews() {
    recorder.counter(
        "Memory",
        "Owned",
        StatisticsUnit.BYTES_PER_SECOND,
        () -> {
          throw new IllegalStateException("gone");
        });
    counter.add(3);
    clock.advanceMillis(1000);
    assertThat(owned().total()).isEqualTo(new Window(0, 0, 0, 1));
    assertThat(row().total()).isEqualTo(new Window(3, 3, 3, 1));
  }

  private StatisticsRow owned() {
    return recorder.snapshot().row("Memory", "Owned").orElseThrow();
  }

  private StatisticsRow row() {
    return recorder.snapshot().row("Memory", "Count").orElseThrow();
  }
}
