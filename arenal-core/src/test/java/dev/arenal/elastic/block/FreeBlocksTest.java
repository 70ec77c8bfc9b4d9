package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a {@link TreeMap} from start to end of free ranges. */
final class FreeBlocksTest {
  private static final long BASE = 1L << 40;

  @Test
  void neighbours_join_onBothSides() {
    FreeBlocks blocks = new FreeBlocks();
    assertThat(blocks.add(BASE, 8)).isEqualTo(BASE);
    assertThat(blocks.add(BASE + 16, 8)).isEqualTo(BASE + 16);
    assertThat(blocks.add(BASE + 8, 8)).isEqualTo(BASE);
    assertThat(blocks.isEmpty()).isFalse();
    assertThat(blocks.blockCount()).isEqualTo(1);
    assertThat(blocks.joinedBytes()).isEqualTo(24);
    assertThat(blocks.totalBytes()).isEqualTo(24);
    blocks.verify();
  }

  @Test
  void deallocateThenAllocate_givesTheSameAddress() {
    FreeBlocks blocks = new FreeBlocks();
    for (long size = 8; size < 1 << 20; size = size * 3 / 16 * 8 + 8) {
      var _ = blocks.add(BASE, size);
      assertThat(blocks.take(size, 8)).isEqualTo(BASE);
      assertThat(blocks.isEmpty()).isTrue();
    }
  }

  @Test
  void take_alignedFromTheMiddle_leavesBothEnds() {
    FreeBlocks blocks = new FreeBlocks();
    var _ = blocks.add(BASE + 8, 4096);
    assertThat(blocks.take(64, 1024)).isEqualTo(BASE + 1024);
    assertThat(blocks.blockCount()).isEqualTo(2);
    assertThat(blocks.totalBytes()).isEqualTo(4096 - 64);
    assertThat(blocks.overlaps(BASE + 1024, 64)).isFalse();
    blocks.verify();
    assertThat(blocks.add(BASE + 1024, 64)).isEqualTo(BASE + 8);
    assertThat(blocks.joinedBytes()).isEqualTo(4096);
    blocks.verify();
  }

  @Test
  void take_ofMoreThanThereIs_answersNone() {
    FreeBlocks blocks = new FreeBlocks();
    assertThat(blocks.take(8, 8)).isEqualTo(FreeBlocks.NONE);
    var _ = blocks.add(BASE, 1000);
    assertThat(blocks.take(1008, 8)).isEqualTo(FreeBlocks.NONE);
    assertThat(blocks.take(8, 1L << 50)).isEqualTo(FreeBlocks.NONE);
    assertThat(blocks.take(1L << 60, 1L << 60)).isEqualTo(FreeBlocks.NONE);
    assertThat(blocks.totalBytes()).isEqualTo(1000);
    blocks.verify();
  }

  /** A block that fits well goes before one that is far too large: large ones stay whole. */
  @ParameterizedTest
  @ValueSource(longs = {8, 64, 504, 512, 520, 640, 1000, 1024, 5000, 100_000, 1 << 24})
  void blockThatFitsWell_goesBeforeALargerOne(long size) {
    FreeBlocks blocks = new FreeBlocks();
    long large = BASE + (1L << 30);
    for (int i = 0; i < 20; i++) { // more than are looked at
      var _ = blocks.add(large + i * (1L << 30), 2 * size);
    }
    var _ = blocks.add(BASE, size);
    assertThat(blocks.take(size, 8)).isEqualTo(BASE);
    assertThat(blocks.take(size, 8)).isGreaterThanOrEqualTo(large);
    blocks.verify();
  }

  /** A list of so many could neither be searched in time nor within a stack. */
  @ParameterizedTest
  @CsvSource({"1, 16", "-1, 16", "7919, 16", "1, 4096", "-1, 4096", "7919, 4096"})
  void manyBlocks_inWhateverOrder_areFoundInAFewSteps(int stride, long size) {
    int count = 100_000;
    FreeBlocks blocks = new FreeBlocks();
    for (int i = 0; i < count; i++) {
      long position = Math.floorMod((long) i * stride, count);
      var _ = blocks.add(BASE + position * 2 * size, size);
    }
    assertThat(blocks.blockCount()).isEqualTo(count);
    for (int i = 0; i < count - 1; i += 2) { // every other one grows into its neighbour
      long address = BASE + 2L * i * size;
      assertThat(blocks.add(address + size, size)).isEqualTo(address);
    }
    assertThat(blocks.blockCount()).isEqualTo(count / 2);
    blocks.verify();
  }

  /** Multiples of a number close to a fraction of others are in order, as drawn ones are not. */
  @ParameterizedTest
  @CsvSource({"144, 320", "233, 521", "256, 300"})
  void blocksFreedColumnByColumn_areFoundInAFewSteps(int rowCount, int columnCount) {
    FreeBlocks blocks = new FreeBlocks();
    for (int column = 0; column < columnCount; column++) {
      for (int row = 0; row < rowCount; row++) {
        var _ = blocks.add(BASE + 8192L * (row * columnCount + column), 4096);
      }
    }
    blocks.verify(); // also how deep they are
    for (int i = 0; i < rowCount * columnCount; i += 3) {
      assertThat(blocks.add(BASE + 8192L * i + 4096, 4096)).isEqualTo(BASE + 8192L * i);
    }
    blocks.verify();
  }

  @Test
  void overlap_isSeenAtBothEnds() {
    FreeBlocks blocks = new FreeBlocks();
    var _ = blocks.add(BASE + 64, 64);
    assertThat(blocks.overlaps(BASE, 64)).isFalse();
    assertThat(blocks.overlaps(BASE, 65)).isTrue();
    assertThat(blocks.overlaps(BASE + 127, 8)).isTrue();
    assertThat(blocks.overlaps(BASE + 128, 8)).isFalse();
    assertThat(blocks.overlaps(BASE, 1024)).isTrue();
    assertThat(blocks.overlaps(BASE + 72, 8)).isTrue();
  }

  /** A free range of gigabytes has few words of its own, and what is cut out of it has. */
  @Test
  void rangeOfManySections_isCutAnywhere() {
    FreeBlocks blocks = new FreeBlocks();
    long gib = 1L << 30;
    assertThat(blocks.add(BASE + 8, 4 * gib)).isEqualTo(BASE + 8);
    blocks.verify();
    for (long alignment = 4096; alignment <= gib; alignment *= 8) {
      long address = blocks.take(104, alignment);
      assertThat(address % alignment).isZero();
      assertThat(blocks.overlaps(address, 104)).isFalse();
      assertThat(blocks.overlaps(address - 8, 8)).isTrue();
      assertThat(blocks.overlaps(address + 104, 1)).isTrue();
      blocks.verify();
    }
    assertThat(blocks.overlaps(BASE + gib + 4096, 8)).isTrue();
    assertThat(blocks.overlaps(BASE, 8)).isFalse();
    assertThat(blocks.overlaps(BASE + 4 * gib + 8, gib)).isFalse();
  }

  /** Each joins the range below it, which is looked up, not walked. */
  @Test
  void blocksInTheOrderOfTheirAddresses_areOneRangeSoon() {
    FreeBlocks blocks = new FreeBlocks();
    for (long i = 0; i < 1_000_000; i++) {
      assertThat(blocks.add(BASE + 48 * i, 48)).isEqualTo(BASE);
    }
    assertThat(blocks.blockCount()).isEqualTo(1);
    assertThat(blocks.joinedBytes()).isEqualTo(48_000_000);
    blocks.verify();
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 9, 14, 20})
  void drawnSteps_agreeWithModel(int sizeLog) {
    long seed = Seeds.derive("free-blocks", sizeLog);
    SplittableRandom random = new SplittableRandom(seed);
    FreeBlocks blocks = new FreeBlocks();
    TreeMap<Long, Long> model = new TreeMap<>();
    for (int step = 0; step < 20_000; step++) {
      long size = 8 + random.nextLong(1L << random.nextInt(3, sizeLog)) / 8 * 8;
      if (random.nextInt(100) < 55) {
        long address = BASE + random.nextLong(1L << sizeLog) * 64;
        boolean overlaps = overlaps(model, address, size);
        assertThat(blocks.overlaps(address, size)).as(Seeds.hint()).isEqualTo(overlaps);
        if (!overlaps) {
          assertThat(blocks.add(address, size)).isEqualTo(add(model, address, size));
        }
      } else {
        long alignment = 8L << random.nextInt(random.nextInt(8) + 1);
        long address = blocks.take(size, alignment);
        if (address == FreeBlocks.NONE) {
          // Only a fit that needs no luck with the alignment must be found; of the large ones, of
          // which many share a bin, only what is in another bin.
          long certain = size <= SmallBins.MOST_BYTES ? size : size + size / 4 + 8;
          boolean fits = model.entrySet().stream().anyMatch(e -> length(e) >= certain);
          assertThat(fits && alignment == 8).as(Seeds.hint()).isFalse();
        } else {
          assertThat(address % alignment).isZero();
          if (random.nextInt(8) == 0) { // it could not be handed out
            var _ = blocks.add(address, size);
          } else {
            take(model, address, size);
          }
        }
      }
      if (step % 64 == 0) {
        blocks.verify();
        assertThat(blocks.blockCount()).as(Seeds.hint()).isEqualTo(model.size());
        long total = model.entrySet().stream().mapToLong(e -> e.getValue() - e.getKey()).sum();
        assertThat(blocks.totalBytes()).isEqualTo(total);
      }
    }
  }

  private static long length(Map.Entry<Long, Long> block) {
    return block.getValue() - block.getKey();
  }

  private static boolean overlaps(NavigableMap<Long, Long> model, long address, long size) {
    Map.Entry<Long, Long> below = model.lowerEntry(address + size);
    return below != null && below.getValue() > address;
  }

  private static long add(NavigableMap<Long, Long> model, long address, long size) {
    long start = address;
    long end = address + size;
    Map.Entry<Long, Long> below = model.lowerEntry(address);
    if (below != null && below.getValue() == address) {
      start = below.getKey();
    }
    Long joined = model.remove(end);
    model.put(start, joined == null ? end : joined);
    return start;
  }

  private static void take(NavigableMap<Long, Long> model, long address, long size) {
    Map.Entry<Long, Long> block = model.floorEntry(address);
    assertThat(block).as(Seeds.hint()).isNotNull();
    assertThat(block.getValue()).as(Seeds.hint()).isGreaterThanOrEqualTo(address + size);
    model.remove(block.getKey());
    if (block.getKey() < address) {
      model.put(block.getKey(), address);
    }
    if (address + size < block.getValue()) {
      model.put(address + size, block.getValue());
    }
  }
}
