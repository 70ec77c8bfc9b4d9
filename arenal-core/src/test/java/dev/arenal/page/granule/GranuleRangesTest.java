package dev.arenal.page.granule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of granules against a set of bits. */
final class GranuleRangesTest {
  /** One granule, one section, sections of which the last is not full, many sections. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 64, 4096, 4097, 10_000, 40_000})
  void drawnChanges_agreeWithBits(int granuleCount) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("GranuleRanges", granuleCount));
    GranuleRanges ranges = new GranuleRanges(granuleCount);
    BitSet bits = new BitSet();
    for (int round = 0; round < 4000; round++) {
      int from = random.nextInt(granuleCount);
      int most = random.nextInt(8) == 0 ? granuleCount : 20;
      int count = 1 + random.nextInt(Math.min(most, granuleCount - from));
      if (bits.get(from)) {
        count = Math.min(count, bits.nextClearBit(from) - from);
        ranges.remove(from, count);
        bits.clear(from, from + count);
      } else {
        int next = bits.nextSetBit(from);
        count = next < 0 ? count : Math.min(count, next - from);
        ranges.prepare(from, count);
        ranges.add(from, count);
        bits.set(from, from + count);
      }
      compare(ranges, bits, granuleCount, random);
      if (round % 100 == 0) {
        ranges.verify();
      }
    }
    ranges.verify();
  }

  private static void compare(
      GranuleRanges ranges, BitSet bits, int granuleCount, SplittableRandom random) {
    int at = random.nextInt(granuleCount);
    int length = 1 + random.nextInt(Math.min(30, granuleCount));
    int count = 1 + random.nextInt(granuleCount - at);
    assertThat(ranges.totalGranules()).as(Seeds.hint()).isEqualTo(bits.cardinality());
    assertThat(ranges.contains(at)).as(Seeds.hint()).isEqualTo(bits.get(at));
    assertThat(ranges.countIn(at, count))
        .as(Seeds.hint())
        .isEqualTo(bits.get(at, at + count).cardinality());
    int first = GranuleRanges.NONE;
    int last = GranuleRanges.NONE;
    int longest = 0;
    for (int start = bits.nextSetBit(0); start >= 0; ) {
      int end = bits.nextClearBit(start);
      longest = Math.max(longest, end - start);
      if (end - start >= length) {
        first = first == GranuleRanges.NONE && start >= at ? start : first;
        last = start <= at ? start : last;
      }
      start = bits.nextSetBit(end);
    }
    assertThat(ranges.longest()).as(Seeds.hint()).isEqualTo(longest);
    assertThat(ranges.firstFrom(at, length)).as(Seeds.hint()).isEqualTo(first);
    assertThat(ranges.lastFrom(at, length)).as(Seeds.hint()).isEqualTo(last);
    assertThat(ranges.lowest(longest + 1)).as(Seeds.hint()).isEqualTo(GranuleRanges.NONE);
    assertThat(ranges.highest(longest + 1)).as(Seeds.hint()).isEqualTo(GranuleRanges.NONE);
    if (longest > 0) {
      int lowest = bits.nextSetBit(0);
      int highest = bits.previousClearBit(bits.length() - 1) + 1;
      assertThat(ranges.lowest(1)).as(Seeds.hint()).isEqualTo(lowest);
      assertThat(ranges.highest(1)).as(Seeds.hint()).isEqualTo(highest);
      // A page that ends where the addresses end asks for what is behind it, and the first for
      // what is before it.
      assertThat(ranges.lastFrom(granuleCount, 1)).as(Seeds.hint()).isEqualTo(highest);
      assertThat(ranges.lastFrom(granuleCount + 1, 1)).as(Seeds.hint()).isEqualTo(highest);
    }
    assertThat(ranges.firstFrom(granuleCount, 1)).isEqualTo(GranuleRanges.NONE);
    assertThat(ranges.lastFrom(-1, 1)).isEqualTo(GranuleRanges.NONE);
    assertThat(ranges.lengthAt(granuleCount)).isZero();
  }

  @Test
  void removingWhatIsNotThere_isRefused() {
    GranuleRanges ranges = new GranuleRanges(64);
    ranges.prepare(0, 64);
    ranges.add(3, 4);
    ranges.add(10, 4);
    for (int from : new int[] {0, 2, 5, 7, 13}) {
      assertThatThrownBy(() -> ranges.remove(from, 3))
          .isInstanceOf(AssertionError.class)
          .hasMessage("not in the set: from=" + from + ", count=3");
    }
    ranges.verify();
    assertThat(ranges.totalGranules()).isEqualTo(8);
  }
}
