package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every window, each second of half a day, against sums over lists. */
final class WindowsTest {
  private static final int SECONDS = 39_000;

  private final long seed = Seeds.derive("WindowsTest", 0);
  private final SimulatedClock clock = new SimulatedClock();
  private final StatisticsRecorder recorder = new StatisticsRecorder("Test", "windows", clock);

  @Test
  void counter_eachSecondIsOneSample() {
    Random random = new Random(seed);
    Counter counter = recorder.counter("Memory", "Count", StatisticsUnit.OPERATIONS_PER_SECOND);
    long[] samples = new long[SECONDS];
    for (int second = 0; second < SECONDS; second++) {
      samples[second] = value(random, second);
      counter.add(samples[second] / 3);
      counter.add(samples[second] - samples[second] / 3);
      clock.advanceMillis(1000);
      recorder.tick();
      StatisticsRow row = recorder.snapshot().rows().getFirst();
      int count = second + 1;
      check(row.last10s(), samples, count, Math.min(count, 10));
      check(row.last10m(), samples, count, Math.min(count, 600 + count % 10));
      check(row.last10h(), samples, count, Math.min(count, 36_000 + count % 600));
      assertThat(row.pending()).isZero();
      if (count % 100 == 0 || count == SECONDS) {
        check(row.total(), samples, count, count);
      }
    }
  }

  /**
   * Maxima come and go: steps down by a falling staircase, so that each of them leaves a window.
   */
  private static long value(Random random, int second) {
    return switch (second / 700 % 4) {
      case 0 -> random.nextLong(1L << 20);
      case 1 -> 5_000_000 - 1000L * (second % 700);
      case 2 -> random.nextInt(60) == 0 ? random.nextLong(1L << 40) : 0;
      default -> 7;
    };
  }

  private void check(Window window, long[] samples, int end, int length) {
    long sum = 0;
    long max = 0;
    for (int i = end - length; i < end; i++) {
      sum += samples[i];
      max = Math.max(max, samples[i]);
    }
    if (window.sum() != sum
        || window.max() != max
        || window.sampleCount() != length
        || window.average() != sum / length) {
      throw new AssertionError(
          "window=%s, expected sum=%d, max=%d, samples=%d, second=%d, %s"
              .formatted(window, sum, max, length, end, Seeds.hint()));
    }
  }

  @Test
  void sampler_eachValueIsOneSample() {
    Random random = new Random(seed);
    Sampler sampler = recorder.sampler("Critical", "Wait", StatisticsUnit.NANOSECONDS);
    List<long[]> seconds = new ArrayList<>();
    for (int second = 0; second < 3000; second++) {
      long[] values = random.longs(random.nextInt(4), 0, 1 << 30).toArray();
      for (long value : values) {
        sampler.sample(value);
      }
      seconds.add(values);
      clock.advanceMillis(1000);
      StatisticsRow row = recorder.snapshot().rows().getFirst();
      int count = second + 1;
      checkValues(row.last10s(), seconds, Math.min(count, 10));
      checkValues(row.last10m(), seconds, Math.min(count, 600 + count % 10));
      checkValues(row.last10h(), seconds, count);
      checkValues(row.total(), seconds, count);
    }
  }

  private void checkValues(Window window, List<long[]> seconds, int length) {
    long sum = 0;
    long max = 0;
    long count = 0;
    for (long[] values : seconds.subList(seconds.size() - length, seconds.size())) {
      for (long value : values) {
        sum += value;
        max = Math.max(max, value);
        count++;
      }
    }
    Window expected = new Window(count == 0 ? 0 : sum / count, max, sum, count);
    assertThat(window).as("second=%s, %s", seconds.size(), Seeds.hint()).isEqualTo(expected);
  }
}
