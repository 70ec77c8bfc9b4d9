package dev.arenal.lab.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the median of samples may lie from that of all that could be drawn, whatever their
 * distribution: half the width of a confidence interval between two of the samples.
 *
 * <p>Of n sorted samples, the median of the distribution lies between the k-th and the k-th from
 * the end unless fewer than k samples lie on one side of it, with the probability of fewer than k
 * heads in n throws of a coin. The interval is the narrowest of these pairs with a probability of
 * 99 % or more. Unlike an error of the mean it does not grow with samples outside of the interval,
 * so a moment in which the machine was busy does not count.
 *
 * <p>The probability is that of independent samples. Iterations of one JVM have its compiled code
 * in common; docs/benchmarks says what that comes to.
 */
public final class MedianError {
  /** Fewer have no such pair: even the first and the last are not sure enough. */
  public static final int FEWEST_SAMPLES = 8;

  private static final double COVERAGE = 0.99;

  private MedianError() {}

  /** The half width, in the unit of the samples; null if there are too few. */
  public static @Nullable Double of(List<Double> samples) {
    int rank = rank(samples.size());
    if (rank == 0) {
      return null;
    }
    List<Double> sorted = samples.stream().sorted().toList();
    double half = (sorted.get(sorted.size() - rank) - sorted.get(rank - 1)) / 2;
    return Double.isFinite(half) ? (Double) half : null;
  }

  /** The place of the lower bound among the sorted samples, from 1; 0 if there is none. */
  static int rank(int count) {
    // The logarithm of the chance of exactly as many heads as the next rank leaves out: of a
    // thousand throws the chance itself is less than any number but zero.
    double chance = count * Math.log(0.5);
    double outside = 0;
    for (int rank = 0; rank < count; rank++) {
      outside += 2 * Math.exp(chance);
      if (outside > 1 - COVERAGE) {
        return rank;
      }
      chance += Math.log((double) (count - rank) / (rank + 1));
    }
    return 0;
  }
}
