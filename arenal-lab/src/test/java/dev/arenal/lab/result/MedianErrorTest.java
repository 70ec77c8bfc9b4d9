package dev.arenal.lab.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The interval of a median: by counting all throws of a coin, and by drawing samples. */
final class MedianErrorTest {
  @Test
  void fewSamples_haveNone() {
    for (int count = 0; count < MedianError.FEWEST_SAMPLES; count++) {
      assertThat(MedianError.of(IntStream.range(0, count).mapToObj(i -> (double) i).toList()))
          .isNull();
    }
  }

  /** The narrowest pair of 99 % or more, against exact numbers of outcomes. */
  @Test
  void rank_isTheLargestThatIsSureEnough() {
    assertThat(List.of(8, 11, 12, 14, 15, 16).stream().map(MedianError::rank))
        .containsExactly(1, 1, 2, 2, 3, 3);
    IntStream.concat(IntStream.rangeClosed(1, 200), IntStream.of(1074, 1075, 5000))
        .forEach(MedianErrorTest::checkRank);
  }

  private static void checkRank(int count) {
    int rank = MedianError.rank(count);
    BigInteger all = BigInteger.TWO.pow(count);
    assertThat(outside(count, rank).multiply(BigInteger.valueOf(100))).isLessThanOrEqualTo(all);
    assertThat(outside(count, rank + 1).multiply(BigInteger.valueOf(100))).isGreaterThan(all);
  }

  /** Outcomes with fewer than {@code rank} on one side. */
  private static BigInteger outside(int count, int rank) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger ways = BigInteger.ONE;
    for (int heads = 0; heads < rank; heads++) {
      sum = sum.add(ways);
      ways = ways.multiply(BigInteger.valueOf(count - heads)).divide(BigInteger.valueOf(heads + 1));
    }
    return sum.multiply(BigInteger.TWO);
  }

  @Test
  void disturbedSamples_doNotCount() {
    List<Double> samples = new ArrayList<>();
    IntStream.range(0, 15).forEach(i -> samples.add(50.0 + i));
    assertThat(MedianError.of(samples)).isEqualTo(5.0);
    samples.set(14, Double.POSITIVE_INFINITY);
    samples.set(13, Double.POSITIVE_INFINITY);
    assertThat(MedianError.of(samples)).isEqualTo(5.0);
    samples.set(12, Double.POSITIVE_INFINITY);
    assertThat(MedianError.of(samples)).isNull();
  }

  /** The median of a skewed distribution, 1, is covered as often as is claimed. */
  @Test
  void interval_hasTheMedianInNinetyNineOfAHundred() {
    Random random = new Random(7);
    int missedCount = 0;
    for (int draw = 0; draw < 20_000; draw++) {
      List<Double> samples =
          IntStream.range(0, 15)
              .mapToObj(_ -> Math.exp(2 * random.nextGaussian()))
              .sorted()
              .toList();
      int rank = MedianError.rank(15);
      if (samples.get(rank - 1) > 1 || samples.get(15 - rank) < 1) {
        missedCount++;
      }
    }
    // 0.74 % is exact; the standard deviation of 20,000 draws is 12.
    assertThat(missedCount).isBetween(88, 200);
  }
}
