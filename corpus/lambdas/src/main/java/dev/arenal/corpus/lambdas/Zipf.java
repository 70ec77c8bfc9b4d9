package dev.arenal.corpus.lambdas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A stream of numbers of which few come often and many come seldom. */
final class Zipf {
  private final double[] cumulative;
  private final List<Integer> byRank;
  private final Random random;

  Zipf(int count, double exponent, long seed) {
    random = new Random(seed);
    cumulative = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += Math.pow(i + 1, -exponent);
      cumulative[i] = sum;
    }
    byRank = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(byRank, random);
  }

  int next() {
    double point = random.nextDouble() * cumulative[cumulative.length - 1];
    int found = Arrays.binarySearch(cumulative, point);
    int rank = found >= 0 ? found : -found - 1;
    return byRank.get(Math.min(rank, cumulative.length - 1));
  }
}
