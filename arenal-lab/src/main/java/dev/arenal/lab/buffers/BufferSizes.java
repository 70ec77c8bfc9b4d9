package dev.arenal.lab.buffers;

import java.util.Random;

/**
 * Sizes of buffers, log-normal: their logarithm is spread like a bell around that of the median. A
 * size outside the limits is drawn again, so that no size stands out.
 *
 * @param leastBytes the smallest
 * @param mostBytes the largest
 * @param medianBytes half of all would be smaller, without the limits
 * @param sigma the spread of the natural logarithm
 * @param seed the same seed gives the same sizes on every machine
 */
public record BufferSizes(int leastBytes, int mostBytes, int medianBytes, double sigma, long seed) {
  /** A buffer has room for a mark at each end. */
  public static final int FEWEST_BYTES = 16;

  /** From 64 bytes to 4 MiB around 4 KiB: what a server with a few large messages asks for. */
  public static final BufferSizes USUAL = new BufferSizes(64, 4 << 20, 4 << 10, 1.8, 1);

  /** How many are drawn; threads go round them from different places. */
  static final int COUNT_DRAWN = 1 << 18;

  /** A range so far from the median would be drawn for ever. */
  private static final int MOST_TRIES = 1_000;

  /** Checks the figures. */
  public BufferSizes {
    if (leastBytes < FEWEST_BYTES
        || mostBytes < leastBytes
        || medianBytes < leastBytes
        || medianBytes > mostBytes
        || !(sigma >= 0 && sigma <= 10)) {
      throw new IllegalArgumentException(
          ("sizes do not fit together: leastBytes=%d, medianBytes=%d, mostBytes=%d, sigma=%s"
                  + " (expected %d <= least <= median <= most, and sigma from 0 to 10)")
              .formatted(leastBytes, medianBytes, mostBytes, sigma, FEWEST_BYTES));
    }
  }

  /** Draws them ahead, so that they cost the same for every allocator. */
  int[] draw(int count) {
    Random random = new Random(seed);
    int[] sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = next(random);
    }
    return sizes;
  }

  private int next(Random random) {
    for (int i = 0; i < MOST_TRIES; i++) {
      double size = medianBytes * StrictMath.exp(sigma * random.nextGaussian());
      if (size >= leastBytes && size <= mostBytes) {
        return (int) size;
      }
    }
    return medianBytes;
  }
}
