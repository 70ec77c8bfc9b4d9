package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Sizes as they are drawn. */
final class BufferSizesTest {
  @Test
  void usualSizes_areLogNormalWithinTheirLimits() {
    int[] sizes = BufferSizes.USUAL.draw(100_000);

    assertThat(Arrays.stream(sizes).min().orElseThrow()).isBetween(64, 70);
    assertThat(Arrays.stream(sizes).max().orElseThrow()).isBetween(1 << 20, 4 << 20);
    Arrays.sort(sizes);
    // One in a hundred would be below 64 and is drawn again, so the median is a little higher.
    assertThat(sizes[50_000]).isBetween(4_000, 4_400);
    // One sigma above the median in the logarithm: a factor of 6.05.
    assertThat(sizes[84_134] / (double) sizes[50_000]).isBetween(5.7, 6.3);
  }

  @Test
  void sameSeed_drawsTheSame() {
    BufferSizes other = new BufferSizes(64, 4 << 20, 4 << 10, 1.8, 2);

    assertThat(BufferSizes.USUAL.draw(1000)).isEqualTo(BufferSizes.USUAL.draw(1000));
    assertThat(BufferSizes.USUAL.draw(1000)).isNotEqualTo(other.draw(1000));
    assertThat(BufferSizes.USUAL.draw(3))
        .containsExactly(
            BufferSizes.USUAL.draw(1000)[0],
            BufferSizes.USUAL.draw(1000)[1],
            BufferSizes.USUAL.draw(1000)[2]);
  }

  @Test
  void oneSize_isPossible() {
    assertThat(new BufferSizes(100, 100, 100, 0, 1).draw(10)).containsOnly(100);
    assertThat(new BufferSizes(100, 100, 100, 3, 1).draw(10)).containsOnly(100);
  }

  @Test
  void limitsThatDoNotFit_areRefused() {
    assertThatThrownBy(() -> new BufferSizes(64, 32, 64, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sizes do not fit together: leastBytes=64, medianBytes=64, mostBytes=32, sigma=1.0"
                + " (expected 16 <= least <= median <= most, and sigma from 0 to 10)");
    assertThatThrownBy(() -> new BufferSizes(8, 64, 64, 1, 1))
        .hasMessageStartingWith("sizes do not fit together: leastBytes=8, ");
    assertThatThrownBy(() -> new BufferSizes(64, 128, 64, Double.NaN, 1))
        .hasMessageContaining("sigma=NaN");
  }
}
