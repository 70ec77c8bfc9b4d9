package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against a {@link BitSet}: ranges that meet are one. */
final class UsedRangesTest {
  private static final int MOST = 2000;

  @Test
  void drawnRanges_agreeWithModel() {
    SplittableRandom random = new SplittableRandom(Seeds.derive("used-ranges", 0));
    for (int round = 0; round < 50; round++) {
      UsedRanges ranges = new UsedRanges();
      BitSet model = new BitSet(MOST);
      for (int i = 0; i < 300; i++) {
        int from = random.nextInt(MOST - 20);
        int to = Math.min(from + 1 + random.nextInt(15), model.nextSetBit(from) & 0x7fffffff);
        if (to > from) {
          ranges.prepare();
          ranges.add(from, to);
          model.set(from, to);
        }
      }
      assertThat(ranges.totalBytes()).isEqualTo(model.cardinality());
      for (int at = 0; at < MOST; at++) {
        long expected = model.get(at) ? model.nextClearBit(at) : -1;
        assertThat(ranges.endOfRangeWith(at)).as(Seeds.hint()).isEqualTo(expected);
      }
    }
  }
}
