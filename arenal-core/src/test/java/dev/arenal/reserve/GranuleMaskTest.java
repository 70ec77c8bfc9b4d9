package dev.arenal.reserve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against {@link BitSet}. */
final class GranuleMaskTest {
  /** Two whole sections and a part of a third. */
  private static final int BIT_COUNT = 2 * 4096 + 100;

  @Test
  void edges_ofWordsAndSections() {
    int[] edges = {0, 1, 63, 64, 65, 127, 128, 4095, 4096, 4097, 8191, 8192, BIT_COUNT};
    for (int from : edges) {
      for (int to : edges) {
        if (from < to) {
          GranuleMask mask = new GranuleMask(BIT_COUNT);
          mask.prepare(from, to);
          mask.set(from, to);
          BitSet model = new BitSet();
          model.set(from, to);
          assertSame(mask, model, 0, BIT_COUNT);
          assertThat(mask.next(0, BIT_COUNT, true)).isEqualTo(from);
          assertThat(mask.next(from, BIT_COUNT, false)).isEqualTo(to);
          mask.clear(from, to);
          assertThat(mask.count(0, BIT_COUNT)).isZero();
        }
      }
    }
  }

  @Test
  void untouchedMask_isAllClear() {
    GranuleMask mask = new GranuleMask(1L << 33);
    assertThat(mask.count(0, 1L << 33)).isZero();
    assertThat(mask.next(0, 1L << 33, true)).isEqualTo(1L << 33);
    assertThat(mask.next(12345, 1L << 33, false)).isEqualTo(12345);
    assertThat(mask.get((1L << 33) - 1)).isFalse();
  }

  /** A section is there while something is set in it: 4 bytes for each, 64 words for those. */
  @Test
  void heapIsTaken_bySectionsInUse() {
    long twoSections = 16 + 2 * 4;
    GranuleMask mask = new GranuleMask(2 * 4096);
    assertThat(mask.metadataBytes()).isEqualTo(twoSections);
    mask.prepare(4095, 4097);
    assertThat(mask.metadataBytes()).isEqualTo(twoSections + 2 * (16 + 64 * 8));
    mask.clear(4096, 2 * 4096);
    assertThat(mask.metadataBytes()).isEqualTo(twoSections + 16 + 64 * 8);
    assertThat(new GranuleMask(2 * 4096 + 1).metadataBytes()).isEqualTo(16 + 3 * 4);
  }

  @Test
  void drawnRanges_agreeWithModel() {
    SplittableRandom random = new SplittableRandom(42);
    GranuleMask mask = new GranuleMask(BIT_COUNT);
    BitSet model = new BitSet();
    for (int round = 0; round < 5000; round++) {
      int from = random.nextInt(BIT_COUNT);
      int to = from + random.nextInt(Math.min(BIT_COUNT - from, 1 << random.nextInt(14)) + 1);
      if (random.nextBoolean()) {
        mask.prepare(from, to);
        mask.set(from, to);
        model.set(from, to);
      } else {
        mask.clear(from, to);
        model.clear(from, to);
      }
      int a = random.nextInt(BIT_COUNT + 1);
      int b = random.nextInt(BIT_COUNT + 1);
      assertSame(mask, model, Math.min(a, b), Math.max(a, b));
    }
  }

  private static void assertSame(GranuleMask mask, BitSet model, int from, int to) {
    assertThat(mask.count(from, to)).isEqualTo(model.get(from, to).cardinality());
    int set = model.nextSetBit(from);
    assertThat(mask.next(from, to, true)).isEqualTo(set < 0 || set > to ? to : set);
    assertThat(mask.next(from, to, false)).isEqualTo(Math.min(to, model.nextClearBit(from)));
    if (from < to) {
      assertThat(mask.get(from)).isEqualTo(model.get(from));
    }
  }
}
