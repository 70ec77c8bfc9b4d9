package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of bits, against an array of booleans. */
final class BitsTest {
  /** Around the ends of words. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 127, 128, 129, 200, 512})
  void rangesOfBits_areThoseOfAnArrayOfBooleans(int bitCount) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("Bits", bitCount));
    long[] bits = Bits.ofSize(bitCount);
    boolean[] model = new boolean[bitCount];
    assertThat(bits).hasSize((bitCount + 63) / 64).containsOnly(0);
    for (int round = 0; round < 2000; round++) {
      int from = random.nextInt(bitCount + 1);
      int to = random.nextInt(from, bitCount + 1);
      boolean value = random.nextBoolean();
      if (value) {
        Bits.set(bits, from, to);
      } else {
        Bits.clear(bits, from, to);
      }
      for (int i = from; i < to; i++) {
        model[i] = value;
      }
      int start = random.nextInt(bitCount + 1);
      int end = random.nextInt(start, bitCount + 1);
      compare(bits, model, start, end);
      boolean[] others = randomBits(bitCount, random);
      compareBoth(bits, model, others, start, end);
    }
    for (int i = 0; i < bitCount; i++) {
      assertThat(Bits.get(bits, i)).as(Seeds.hint()).isEqualTo(model[i]);
    }
    assertThat(Bits.count(bits, 0, bitCount)).as(Seeds.hint()).isEqualTo(count(model));
  }

  private static void compare(long[] bits, boolean[] model, int from, int to) {
    int nextSet = to;
    int nextClear = to;
    int count = 0;
    for (int i = to - 1; i >= from; i--) {
      nextSet = model[i] ? i : nextSet;
      nextClear = model[i] ? nextClear : i;
      count += model[i] ? 1 : 0;
    }
    int previousSet = to - 1;
    while (previousSet >= 0 && !model[previousSet]) {
      previousSet--;
    }
    String where = "[" + from + ", " + to + ") " + Seeds.hint();
    assertThat(Bits.any(bits, from, to)).as("any in %s", where).isEqualTo(count > 0);
    assertThat(Bits.count(bits, from, to)).as("count in %s", where).isEqualTo(count);
    assertThat(Bits.nextSet(bits, from, to)).as("nextSet in %s", where).isEqualTo(nextSet);
    assertThat(Bits.nextClear(bits, from, to)).as("nextClear in %s", where).isEqualTo(nextClear);
    assertThat(Bits.previousSet(bits, to - 1))
        .as("previousSet in %s", where)
        .isEqualTo(previousSet);
  }

  @Test
  void hasRun_isWhetherSoManyAreSetInARow() {
    SplittableRandom random = new SplittableRandom(Seeds.derive("runs", 0));
    for (int round = 0; round < 2000; round++) {
      boolean[] model = randomBits(Long.SIZE, random);
      long word = 0;
      int longest = 0;
      int length = 0;
      for (int i = 0; i < Long.SIZE; i++) {
        word |= model[i] ? 1L << i : 0;
        length = model[i] ? length + 1 : 0;
        longest = Math.max(longest, length);
      }
      for (int wanted = 1; wanted <= Long.SIZE + 1; wanted++) {
        assertThat(Bits.hasRun(word, wanted)).as(Seeds.hint()).isEqualTo(wanted <= longest);
      }
    }
    assertThat(Bits.hasRun(-1, 64)).isTrue();
    assertThat(Bits.hasRun(-1, 65)).isFalse();
  }

  private static boolean[] randomBits(int bitCount, SplittableRandom random) {
    boolean[] bits = new boolean[bitCount];
    int length = random.nextInt(1, 100);
    for (int i = 0; i < bitCount; i++) {
      boolean isLikeTheLast = i > 0 && random.nextInt(length) != 0;
      bits[i] = isLikeTheLast ? bits[i - 1] : random.nextBoolean();
    }
    return bits;
  }

  private static void compareBoth(
      long[] bits, boolean[] model, boolean[] others, int from, int to) {
    long[] otherBits = Bits.ofSize(others.length);
    int nextSet = to;
    int nextClear = to;
    for (int i = others.length - 1; i >= 0; i--) {
      if (others[i]) {
        Bits.set(otherBits, i, i + 1);
      }
      if (i >= from && i < to) {
        boolean isSet = model[i] || others[i];
        nextSet = isSet ? i : nextSet;
        nextClear = isSet ? nextClear : i;
      }
    }
    String where = "[" + from + ", " + to + ") " + Seeds.hint();
    assertThat(Bits.nextSetInEither(bits, otherBits, from, to)).as(where).isEqualTo(nextSet);
    assertThat(Bits.nextClearInBoth(bits, otherBits, from, to)).as(where).isEqualTo(nextClear);
    int previous = to - 1;
    while (previous >= 0 && !model[previous] && !others[previous]) {
      previous--;
    }
    assertThat(Bits.previousSetInEither(bits, otherBits, to - 1)).as(where).isEqualTo(previous);
  }

  private static int count(boolean[] model) {
    int count = 0;
    for (boolean bit : model) {
      count += bit ? 1 : 0;
    }
    return count;
  }
}
