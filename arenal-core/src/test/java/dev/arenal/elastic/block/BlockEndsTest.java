package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Against a map from first word to size. */
final class BlockEndsTest {
  private static final int WORD_COUNT = 4 * 8192;

  @Test
  void everySlack_isKept() {
    for (int sizeBytes = 0; sizeBytes < 100; sizeBytes++) {
      BlockEnds ends = new BlockEnds(WORD_COUNT);
      ends.mark(5, sizeBytes);
      assertThat(ends.sizeBytes(5)).isEqualTo(sizeBytes);
    }
  }

  @Test
  void blockOverManySections_isFound() {
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    ends.mark(100, 3 * 65536 + 3);
    assertThat(ends.sizeBytes(100)).isEqualTo(3 * 65536 + 3);
    ends.clear(100, 3 * 8192 + 1);
    assertThat(ends.sizeBytes(100)).isEqualTo(-1);
  }

  @Test
  void wordWithoutBlock_hasNoSize() {
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    assertThat(ends.sizeBytes(0)).isEqualTo(-1);
    ends.mark(10, 80);
    assertThat(ends.sizeBytes(9)).isEqualTo(-1);
    assertThat(ends.sizeBytes(11)).isEqualTo(-1);
    assertThat(ends.sizeBytes(19)).isEqualTo(-1);
    assertThat(ends.sizeBytes(20)).isEqualTo(-1);
  }

  /** A block that is gone must not be taken for one that reaches to the end of the next. */
  @Test
  void blockThatWasForgotten_isNotTheNext() {
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    ends.mark(10, 80);
    ends.mark(20, 16);
    ends.clear(10, 10);
    assertThat(ends.sizeBytes(10)).isEqualTo(-1);
    assertThat(ends.sizeBytes(20)).isEqualTo(16);
  }

  /** A block that takes the place of others is whole, and they are not named any more. */
  @Test
  void blockOverOthers_isTheOnlyOne() {
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    ends.mark(10, 13);
    ends.mark(20, 16);
    ends.mark(30, 80);
    ends.mark(5, 8 * 30);
    assertThat(ends.sizeBytes(5)).isEqualTo(8 * 30);
    for (int gone : new int[] {10, 20, 30}) {
      assertThat(ends.sizeBytes(gone)).as("word %d", gone).isEqualTo(-1);
    }
  }

  /** A part of a block that was given back: the rest is no block. */
  @Test
  void blockWithoutItsEnd_hasNoSize() {
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    ends.mark(100, 3 * 65536);
    ends.clear(3 * 8192, 8192);
    assertThat(ends.sizeBytes(100)).isEqualTo(-1);
    ends.mark(WORD_COUNT - 20, 160);
    ends.clear(WORD_COUNT - 10, 10);
    assertThat(ends.sizeBytes(WORD_COUNT - 20)).isEqualTo(-1);
  }

  /** Two planes of bits for what fills its words, six for what does not; nothing for the rest. */
  @Test
  void heap_isTakenBySectionsWithBlocks_untilAllOfThemIsCleared() {
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    long emptyBytes = ends.metadataBytes();
    assertThat(emptyBytes).isBetween(16L, 64L);
    ends.mark(100, 80);
    long twoPlanesBytes = ends.metadataBytes() - emptyBytes;
    assertThat(twoPlanesBytes).isBetween(2048L, 2048L + 40);
    ends.mark(200, 81);
    long sixPlanesBytes = ends.metadataBytes() - emptyBytes;
    assertThat(sixPlanesBytes).isEqualTo(twoPlanesBytes + 4 * 1024);
    assertThat(ends.sizeBytes(100)).isEqualTo(80);
    ends.mark(8192, 8); // in the next one
    assertThat(ends.metadataBytes() - emptyBytes).isEqualTo(sixPlanesBytes + twoPlanesBytes);
    ends.clear(0, 8192);
    assertThat(ends.metadataBytes() - emptyBytes).isEqualTo(twoPlanesBytes);
    assertThat(ends.sizeBytes(8192)).isEqualTo(8);
  }

  @Test
  void drawnBlocks_agreeWithModel() {
    SplittableRandom random = new SplittableRandom(Seeds.derive("block-ends", 0));
    BlockEnds ends = new BlockEnds(WORD_COUNT);
    TreeMap<Long, Long> model = new TreeMap<>();
    for (int step = 0; step < 50_000; step++) {
      long word = random.nextInt(WORD_COUNT);
      long size = random.nextLong(1L << random.nextInt(1, 18));
      long wordCount = Math.max(1, (size + 7) / 8);
      Map.Entry<Long, Long> below = model.lowerEntry(word + wordCount);
      boolean free = below == null || below.getKey() + words(below.getValue()) <= word;
      if (free && word + wordCount <= WORD_COUNT) {
        ends.mark(word, size);
        model.put(word, size);
      } else if (below != null) {
        ends.clear(below.getKey(), words(below.getValue()));
        model.remove(below.getKey());
      }
      long expected = model.getOrDefault(word, -1L);
      assertThat(ends.sizeBytes(word)).as(Seeds.hint()).isEqualTo(expected);
    }
    model.forEach((word, size) -> assertThat(ends.sizeBytes(word)).isEqualTo(size));
  }

  private static long words(long sizeBytes) {
    return Math.max(1, (sizeBytes + 7) / 8);
  }
}
