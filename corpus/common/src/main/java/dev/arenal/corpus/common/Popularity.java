package dev.arenal.corpus.common;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A stream of numbers of which few come often and many come seldom; the seed says which ones. */
public final class Popularity {
  private final Zipf zipf;
  private final List<Integer> byRank;
  private final Random random;

  public Popularity(int count, double exponent, long seed) {
    zipf = new Zipf(count, exponent);
    random = new Random(seed);
    byRank = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Collections.shuffle(byRank, random);
  }

  /** The next number, below the count. */
  public int next() {
    return byRank.get(zipf.next(random, byRank.size()));
  }
}
