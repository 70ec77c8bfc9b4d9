package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GrowthHistoryTest {
  @Test
  void steps_areALadderWithoutGaps() {
    for (int step = 0; step < 160; step++) {
      long size = GrowthHistory.sizeOf(step);
      assertThat(GrowthHistory.stepOf(size)).isEqualTo(step);
      assertThat(GrowthHistory.sizeOf(step + 1)).isGreaterThan(size);
      assertThat(GrowthHistory.stepOf(GrowthHistory.sizeOf(step + 1) - 1)).isEqualTo(step);
    }
    assertThat(GrowthHistory.sizeOf(0)).isZero();
    assertThat(GrowthHistory.sizeOf(1)).isEqualTo(32);
    assertThat(GrowthHistory.sizeOf(8)).isEqualTo(256);
    assertThat(GrowthHistory.sizeOf(24)).isEqualTo(1024);
  }

  @Test
  void kinds_areALadderOfFirstBlocks() {
    int last = 0;
    for (long sizeBytes = 0; sizeBytes < 20_000; sizeBytes++) {
      int kind = GrowthHistory.kindOf(sizeBytes);
      assertThat(kind).isBetween(last, Math.min(last + 1, GrowthHistory.KIND_COUNT - 1));
      last = kind;
    }
    assertThat(last).isEqualTo(GrowthHistory.KIND_COUNT - 1);
    assertThat(GrowthHistory.kindOf(Long.MAX_VALUE)).isEqualTo(last);
    assertThat(GrowthHistory.kindOf(40)).isNotEqualTo(GrowthHistory.kindOf(72));
  }

  @Test
  void kindThatIsKnown_isExpectedToDoAsItDid_andOthersAsAll() {
    GrowthHistory all = new GrowthHistory(4096, null);
    GrowthHistory small = new GrowthHistory(4096, all);
    GrowthHistory large = new GrowthHistory(4096, all);
    GrowthHistory rare = new GrowthHistory(4096, all);
    growTo(small, 600, 40);
    growTo(large, 9000, 10);
    assertThat(small.expectedBytes(100)).isBetween(600L, 768L);
    assertThat(large.expectedBytes(100)).isGreaterThan(9000);
    assertThat(large.likelyBytes(100)).isBetween(8000L, 9000L);
    assertThat(rare.expectedBytes(100)).isEqualTo(all.expectedBytes(100)).isBetween(600L, 768L);
    assertThat(rare.likelyBytes(100)).isEqualTo(all.likelyBytes(100));
    growTo(rare, 9000, 8);
    assertThat(rare.expectedBytes(100)).isGreaterThan(9000);
  }

  @Test
  void littleKnown_expectsNothing() {
    GrowthHistory history = new GrowthHistory(4096, null);
    assertThat(history.expectedBytes(100)).isEqualTo(GrowthHistory.UNBOUNDED);
    growTo(history, 600, 7);
    assertThat(history.expectedBytes(100)).isEqualTo(GrowthHistory.UNBOUNDED);
  }

  @Test
  void expectation_isWhatHalfDoNotExceed() {
    GrowthHistory history = new GrowthHistory(4096, null);
    growTo(history, 600, 30);
    growTo(history, 3000, 10);
    assertThat(history.expectedBytes(100)).isBetween(600L, 768L);
    assertThat(history.expectedBytes(1100)).isBetween(3000L, 3072L + 512);
    assertThat(history.expectedBytes(1 << 20)).isEqualTo(GrowthHistory.UNBOUNDED);
  }

  @Test
  void expectation_isNeverLessThanWhatIsThere() {
    GrowthHistory history = new GrowthHistory(65536, null);
    growTo(history, 200_000, 100);
    growTo(history, 700, 100);
    for (long size = 1; size < 300_000; size += 97) {
      assertThat(history.expectedBytes(size)).isGreaterThanOrEqualTo(size);
    }
  }

  /** Though they are more than those that came after them. */
  @Test
  void oldArenas_areForgotten() {
    GrowthHistory history = new GrowthHistory(4096, null);
    growTo(history, 10_000, 5000);
    growTo(history, 300, 3000);
    assertThat(history.expectedBytes(100)).isLessThanOrEqualTo(512);
    growTo(history, 10_000, 1000);
    assertThat(history.expectedBytes(100)).isGreaterThan(10_000);
  }

  @Test
  void eightArenas_areEnough_andHalfOfThemIsHalf() {
    GrowthHistory history = new GrowthHistory(4096, null);
    growTo(history, 600, 4);
    growTo(history, 3000, 4);
    assertThat(history.expectedBytes(100)).isGreaterThan(3000); // half of them went that far
    growTo(history, 600, 1);
    assertThat(history.expectedBytes(100)).isBetween(600L, 768L);
  }

  @Test
  void beyondTheLadder_growthIsExpectedToGoOn_andThenNothingIsKnown() {
    GrowthHistory history = new GrowthHistory(4096, null);
    long endBytes = GrowthHistory.sizeOf(history.stepCount() - 1);
    assertThat(endBytes).isEqualTo(1 << 20);
    growTo(history, 10L << 20, 10);
    assertThat(history.expectedBytes(100)).isEqualTo(2 * endBytes);
    assertThat(history.expectedBytes(endBytes)).isEqualTo(2 * endBytes);
    assertThat(history.likelyBytes(100)).isEqualTo(endBytes);
    for (long size = 2 * endBytes; size < 4 * endBytes; size += 1000) {
      assertThat(history.expectedBytes(size)).isEqualTo(GrowthHistory.UNBOUNDED);
      assertThat(history.likelyBytes(size)).isZero();
    }
    long nextStepBytes = GrowthHistory.sizeOf(history.stepCount());
    assertThat(history.expectedBytes(nextStepBytes)).isEqualTo(GrowthHistory.UNBOUNDED);
    assertThat(history.likelyBytes(nextStepBytes)).isZero();
  }

  @Test
  void likelySize_isWhatNineOfTenReached() {
    GrowthHistory history = new GrowthHistory(4096, null);
    assertThat(history.likelyBytes(100)).isZero();
    growTo(history, 600, 7);
    assertThat(history.likelyBytes(100)).isZero(); // too few
    growTo(history, 3000, 63);
    assertThat(history.likelyBytes(100)).isBetween(2560L, 3000L);
    growTo(history, 600, 1); // 8 of 71 stopped before
    assertThat(history.likelyBytes(100)).isBetween(512L, 600L);
    assertThat(history.likelyBytes(1000)).isBetween(2560L, 3000L);
  }

  /** Of 8 arenas likely is said, and of 7 it is not. */
  @Test
  void likelySize_isToldOfEightArenas() {
    GrowthHistory history = new GrowthHistory(4096, null);
    growTo(history, 3000, 8);
    assertThat(history.likelyBytes(100)).isBetween(2560L, 3000L);
  }

  /** The first of them all, so that something is known soon, and few of many. */
  @Test
  void fewOfManyArenas_areCounted() {
    GrowthHistory history = new GrowthHistory(4096, null);
    for (int birth = 0; birth < 16; birth++) {
      assertThat(history.countsNextPlain()).as("birth %d", birth).isTrue();
    }
    int count = 0;
    for (int birth = 16; birth < 8016; birth++) {
      count += history.countsNextPlain() ? 1 : 0;
    }
    assertThat(count).isEqualTo(1000);
  }

  private static void growTo(GrowthHistory history, long sizeBytes, int arenaCount) {
    for (int arena = 0; arena < arenaCount; arena++) {
      int last = Math.min(GrowthHistory.stepOf(sizeBytes), history.stepCount() - 1);
      for (int step = 0; step <= last; step++) {
        history.noteReachedOpaque(step);
      }
    }
  }
}
