package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which buffers are watched, and for how many each stands. */
final class BufferSamplerTest {
  @Test
  void eachOne_standsForItself() {
    BufferSampler sampler = new BufferSampler(1);
    for (int i = 0; i < 1000; i++) {
      assertThat(sampler.nextWeight()).isEqualTo(1);
    }
  }

  @Test
  void oneIn128_standsForAllSinceTheLastOne() throws InterruptedException {
    BufferSampler sampler = new BufferSampler(128);
    long sum = 0;
    int countSamples = 0;
    for (int i = 1; i <= 128 * 50; i++) {
      int weight = sampler.nextWeight();
      assertThat(weight % 128).isZero();
      sum += weight;
      countSamples += weight > 0 ? 1 : 0;
      if (i % 128 == 1) {
        Thread.sleep(2);
      }
    }
    assertThat(countSamples).isEqualTo(50);
    assertThat(sum).isEqualTo(128 * 50);
  }

  /** However fast they come: the place of birth costs a microsecond or ten. */
  @Test
  void noMoreThanOne_isDueInAMillisecond() {
    BufferSampler sampler = new BufferSampler(128);
    long start = System.nanoTime();
    int countSamples = 0;
    long sum = 0;
    for (int i = 0; i < 128 * 20_000; i++) {
      int weight = sampler.nextWeight();
      sum += weight;
      countSamples += weight > 0 ? 1 : 0;
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    assertThat(countSamples).isBetween(1, (int) millis + 2);
    assertThat(sum).isLessThanOrEqualTo(128 * 20_000).isPositive();
  }
}
