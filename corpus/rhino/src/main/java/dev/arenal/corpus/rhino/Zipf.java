package dev.arenal.corpus.rhino;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Numbers of which the small ones come up most, as popular things are asked for most. */
final class Zipf {
  private final double[] sums;

  Zipf(int most, double exponent) {
    sums = new double[most];
    double sum = 0;
    for (int i = 0; i < most; i++) {
      sum += 1 / Math.pow(i + 1, exponent);
      sums[i] = sum;
    }
  }

  /** A number from 0 up to but not including a bound. */
  int next(RandomGenerator random, int bound) {
    double point = random.nextDouble() * sums[bound - 1];
    int found = Arrays.binarySearch(sums, 0, bound, point);
    return Math.min(bound - 1, found < 0 ? -found - 1 : found);
  }
}
