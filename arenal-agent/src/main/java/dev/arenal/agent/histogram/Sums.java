package dev.arenal.agent.histogram;

/** Sums that stay at the largest number instead of becoming negative. */
final class Sums {
  private Sums() {}

  static long add(long a, long b) {
    long x = a < 0 ? Long.MAX_VALUE : a;
    long y = b < 0 ? Long.MAX_VALUE : b;
    long sum = x + y;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  static long multiply(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }

  static long of(long[] figures) {
    return of(figures, 0, figures.length);
  }

  static long of(long[] figures, int from, int count) {
    long sum = 0;
    for (int i = from; i < from + count; i++) {
      sum = add(sum, figures[i]);
    }
    return sum;
  }

  static void addAll(long[] sums, long[] figures) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] = add(sums[i], figures[i]);
    }
  }
}
