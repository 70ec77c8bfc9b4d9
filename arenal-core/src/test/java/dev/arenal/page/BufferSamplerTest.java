package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.arenal.elastic.Seeds;
import dev.arenal.guard.WatchMode;
import org.junit.jupiter.api.Test;

/** Which buffers are watched, and for how many each stands. */
final class BufferSamplerTest {
  private static final long MILLI = 1_000_000;
  private static final int COUNT = 1 << 20;

  @Test
  void each_standsForItself() {
    BufferSampler sampler = new BufferSampler(WatchMode.ALL, 0, 0);
    for (int i = 0; i < 1000; i++) {
      assertThat(BufferSampler.weight(sampler.nextMark())).isEqualTo(1);
    }
  }

  @Test
  void none_isNever() {
    BufferSampler sampler = new BufferSampler(WatchMode.OFF, 0, 0);
    for (int i = 0; i < 1000; i++) {
      assertThat(sampler.nextMark()).isZero();
    }
    assertThat(sampler.draw()).isGreaterThan(Long.MAX_VALUE / 2);
    assertThat(BufferSampler.mark(sampler.draw() - BufferSampler.REQUEST)).isZero();
    assertThat(BufferSampler.weight(0)).isZero();
  }

  @Test
  void oneIn128_isThatOnAverage_andStandsForAsMany() {
    BufferSampler sampler =
        new BufferSampler(WatchMode.SAMPLE, 7, Seeds.derive("BufferSampler", 0));
    long draw = sampler.draw();
    int watchedCount = 0;
    for (int i = 0; i < COUNT; i++) {
      draw -= BufferSampler.REQUEST;
      if (draw < 0) {
        assertThat(BufferSampler.weight(BufferSampler.mark(draw))).isEqualTo(128);
        watchedCount++;
        draw = sampler.draw();
      }
    }
    assertThat(watchedCount).isCloseTo(COUNT / 128, within(COUNT / 128 / 20));
  }

  /** A program may ask for two kinds of buffers in turn. */
  @Test
  void requestsInTurn_areAllWatched() {
    BufferSampler sampler =
        new BufferSampler(WatchMode.SAMPLE, 7, Seeds.derive("BufferSampler", 1));
    long draw = sampler.draw();
    int[] counts = new int[4];
    for (int i = 0; i < COUNT; i++) {
      draw -= BufferSampler.REQUEST;
      if (draw < 0) {
        counts[i % 4]++;
        draw = sampler.draw();
      }
    }
    for (int count : counts) {
      assertThat(count).isCloseTo(COUNT / 128 / 4, within(COUNT / 128 / 4 / 8));
    }
  }

  @Test
  void fastOnes_areWatchedLessOften_downToABound_andMoreOftenAgain() {
    BufferSampler sampler =
        new BufferSampler(WatchMode.SAMPLE, 7, Seeds.derive("BufferSampler", 2));
    long nowNanos = System.nanoTime();
    sampler.adapt(nowNanos);
    assertThat(weightOf(sampler.draw())).isEqualTo(128);
    for (int weight = 256; weight <= 1 << 16; weight *= 2) {
      nowNanos += MILLI / 2;
      sampler.adapt(nowNanos);
      assertThat(weightOf(sampler.draw())).isEqualTo(weight);
    }
    sampler.adapt(nowNanos);
    assertThat(weightOf(sampler.draw())).isEqualTo(1 << 16);
    nowNanos += MILLI + MILLI / 2; // as it should be
    sampler.adapt(nowNanos);
    assertThat(weightOf(sampler.draw())).isEqualTo(1 << 16);
    for (int weight = 1 << 15; weight >= 128; weight /= 2) {
      nowNanos += 3 * MILLI;
      sampler.adapt(nowNanos);
      assertThat(weightOf(sampler.draw())).isEqualTo(weight);
    }
    sampler.adapt(nowNanos + 3 * MILLI);
    assertThat(weightOf(sampler.draw())).isEqualTo(128);
  }

  private static int weightOf(long draw) {
    return BufferSampler.weight(BufferSampler.mark(draw));
  }
}
