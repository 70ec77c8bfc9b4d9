package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a {@link BitSet} of words. */
final class FreeWordsTest {
  private static final long BASE = 1L << 40;
  private static final int WORD_COUNT = 3 * FreeWords.SECTION_WORDS;
  private static final int FAR = SmallBins.MOST_BYTES / 8;

  private final LargeBlocks large = new LargeBlocks();
  private final FreeWords words = new FreeWords(large);

  @ParameterizedTest
  @ValueSource(ints = {3, 40, 600})
  void drawnRanges_agreeWithModel(int mostWords) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("free-words", mostWords));
    BitSet model = new BitSet(WORD_COUNT);
    for (int step = 0; step < 20_000; step++) {
      int from = 1 + random.nextInt(WORD_COUNT - mostWords - 2);
      int to = from + 1 + random.nextInt(mostWords);
      int free = model.get(from, to).cardinality();
      assertThat(words.isAnyFree(at(from), at(to) - at(from))).isEqualTo(free > 0);
      if (free == 0 && random.nextInt(10) < 7) {
        words.prepare(at(from), at(to) - at(from));
        words.set(at(from), at(to) - at(from));
        model.set(from, to);
      } else if (free == to - from) {
        words.clear(at(from), at(to) - at(from));
        model.clear(from, to);
      }
      compare(model, from, to);
    }
  }

  private void compare(BitSet model, int from, int to) {
    int start = 1 + model.previousClearBit(from - 1);
    int end = model.nextClearBit(to);
    if (from - start <= FAR) {
      assertThat(words.startOfFree(at(from))).as(Seeds.hint()).isEqualTo(at(start));
    } else {
      assertThat(words.startOfFree(at(from))).as(Seeds.hint()).isLessThan(at(from - FAR));
    }
    if (end - to <= FAR) {
      assertThat(words.endOfFree(at(to))).as(Seeds.hint()).isEqualTo(at(end));
    } else {
      assertThat(words.endOfFree(at(to))).as(Seeds.hint()).isGreaterThan(at(to + FAR));
    }
    boolean isBlock = model.nextClearBit(from) == to && !model.get(from - 1) && to - from <= FAR;
    if (to - from <= FAR) {
      assertThat(words.isBlock(at(from), to - from)).as(Seeds.hint()).isEqualTo(isBlock);
    }
  }

  /** Each in a section of its own, far from the others, as the stretches of an arena may be. */
  @Test
  void sectionsFarFromEachOther_areFound() {
    for (long i = 1; i <= 1000; i++) {
      words.prepare(BASE + (i << 32), 16);
      words.set(BASE + (i << 32), 16);
    }
    for (long i = 1; i <= 1000; i++) {
      assertThat(words.isBlock(BASE + (i << 32), 2)).isTrue();
      assertThat(words.isAnyFree(BASE + (i << 32) + 16, 1 << 20)).isFalse();
      assertThat(words.isBlock(BASE + (i << 32) + (1 << 30), 2)).isFalse();
    }
  }

  /** A section in the middle of a large block comes into being with its first change. */
  @Test
  void sectionInsideALargeBlock_beginsFree() {
    long sizeBytes = 10L * FreeWords.SECTION_WORDS * 8;
    words.prepare(BASE + 8, sizeBytes);
    words.set(BASE + 8, sizeBytes);
    large.prepare();
    large.add(BASE + 8, sizeBytes);
    words.verifyLarge(BASE + 8, sizeBytes);
    long middle = BASE + sizeBytes / 2;
    assertThat(words.section(middle >>> 3)).isNull();
    assertThat(words.isAnyFree(middle, 8)).isTrue();
    words.prepare(middle + 64, 8);
    assertThat(words.section(middle >>> 3)).isNotNull();
    words.verifyLarge(BASE + 8, sizeBytes);
    words.clear(middle + 64, 8);
    assertThat(words.isAnyFree(middle + 64, 8)).isFalse();
    assertThat(words.isAnyFree(middle + 72, 8)).isTrue();
  }

  private static long at(int word) {
    return BASE + 8L * word;
  }
}
