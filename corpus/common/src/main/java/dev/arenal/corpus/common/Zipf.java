package dev.arenal.corpus.common;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Numbers of which the small ones come up most, as popular things are asked for most. */
public final class Zipf {
  private final double[] sums;

  /** Numbers below {@code most}; the larger the exponent, the more often the smallest come. */
  public Zipf(int most, double exponent) {
    sums = new double[most];
    double sum = 0;
    for (int i = 0; i < most; i++) {
      sum += 1 / Math.pow(i + 1, exponent);
      sums[i] = sum;
    }
  }

  /** A number from 0 up to but not including a bound. */
  public int next(RandomGenerator random, int bound) {
    double point = random.nextDouble() * sums[bound - 1];
    int found = Arrays.binarySearch(sums, 0, bound, point);
    return Math.min(bound - 1, found < 0 ? -found - 1 : found);
  }

  /** A number below a bound that changes often, with an exponent of about one. */
  public static int draw(RandomGenerator random, int bound) {
    double share = Math.pow(bound + 1.0, random.nextDouble());
    return Math.min((int) share - 1, bound - 1);
  }
}
