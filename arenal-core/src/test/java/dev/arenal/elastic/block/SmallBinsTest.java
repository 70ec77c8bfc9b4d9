package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Entries are hints: those that say nothing any more are passed over, and do not pile up. */
final class SmallBinsTest {
  private static final long BASE = 1L << 40;

  private final FreeWords words = new FreeWords(new LargeBlocks());
  private final SmallBins bins = new SmallBins(words);

  @Test
  void latestBlockOfABin_comesFirst() {
    add(BASE, 48);
    add(BASE + 64, 48);
    assertThat(bins.nextBin(1)).isEqualTo(6);
    assertThat(bins.pop(6, 48, 8)).isEqualTo(BASE + 64);
    assertThat(bins.pop(6, 48, 8)).isEqualTo(BASE);
    assertThat(bins.pop(6, 48, 8)).isEqualTo(FreeBlocks.NONE);
    assertThat(bins.nextBin(1)).isEqualTo(-1);
  }

  @Test
  void blockThatHasJoined_isNoneOfItsBin() {
    add(BASE, 48);
    add(BASE + 128, 48);
    add(BASE + 48, 16); // joins the first
    assertThat(bins.verify()).containsExactly(BASE + 128);
    assertThat(bins.pop(6, 48, 8)).isEqualTo(BASE + 128);
    assertThat(bins.pop(6, 48, 8)).isEqualTo(FreeBlocks.NONE);
  }

  @Test
  void alignment_isLookedForInABin() {
    add(BASE + 8, 64);
    add(BASE + 128, 64);
    add(BASE + 264, 64);
    assertThat(bins.pop(8, 64, 64)).isEqualTo(BASE + 128);
    assertThat(bins.pop(8, 56, 16)).isEqualTo(BASE + 264);
    assertThat(bins.pop(8, 64, 16)).isEqualTo(FreeBlocks.NONE);
    assertThat(bins.pop(8, 64, 8)).isEqualTo(BASE + 8);
  }

  @Test
  void binsOfAllSizes_areFound() {
    for (int bin = 1; bin <= SmallBins.MOST_BYTES / 8; bin++) {
      long address = BASE + 4096L * bin - 8; // over the ends of sections as well
      add(address, 8L * bin);
      assertThat(bins.nextBin(1)).isEqualTo(bin);
      assertThat(bins.pop(bin, 8, 8)).isEqualTo(address);
      words.clear(address, 8L * bin);
    }
    assertThat(bins.nextBin(SmallBins.MOST_BYTES / 8 + 1)).isEqualTo(-1);
  }

  /** The same words become a block of the same size again and again, and it is never taken. */
  @Test
  void entriesThatSayNothing_orTheSame_areSwept() {
    for (int i = 0; i < 10_000; i++) {
      add(BASE, 48);
      words.set(BASE + 48, 8); // joined
      bins.prepare(1);
      bins.push(BASE, 56);
      words.clear(BASE, 56);
    }
    add(BASE, 48);
    assertThat(bins.capacity()).isLessThan(16);
    assertThat(bins.verify()).containsExactly(BASE);
    assertThat(bins.pop(6, 48, 8)).isEqualTo(BASE);
  }

  @Test
  void entries_areAsManyAsBlocks() {
    Set<Long> blocks = new HashSet<>();
    for (long i = 0; i < 10_000; i++) {
      long address = BASE + i * 64;
      add(address, 8 + i % 7 * 8);
      blocks.add(address);
    }
    assertThat(bins.capacity()).isBetween(10_000, 20_000);
    assertThat(bins.verify()).isEqualTo(blocks);
  }

  private void add(long address, long sizeBytes) {
    bins.prepare(1);
    words.prepare(address, sizeBytes);
    words.set(address, sizeBytes);
    bins.push(address, sizeBytes);
  }
}
