package dev.arenal.elastic.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Levels and handles of chunks, and lists of them. */
final class ChunkTest {
  @Test
  void level_isThatOfTheSmallestChunkThatFits() {
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      long sizeBytes = Chunk.sizeBytes(level);
      assertThat(Chunk.levelFor(sizeBytes)).isEqualTo(level);
      assertThat(Chunk.levelFor(sizeBytes - 1)).isEqualTo(level);
      assertThat(Chunk.units(level) * Chunk.UNIT_BYTES).isEqualTo(sizeBytes);
      if (level > 0) {
        assertThat(Chunk.levelFor(sizeBytes + 1)).isEqualTo(level - 1);
      }
    }
    assertThat(Chunk.levelFor(1)).isEqualTo(Chunk.LOWEST);
  }

  @Test
  void handle_namesRootUnitAndLevel() {
    for (int root : new int[] {0, 1, 1000, Integer.MAX_VALUE}) {
      for (int unit : new int[] {0, 1, 8192, Chunk.ROOT_UNITS - 1}) {
        for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
          long handle = Chunk.handle(root, unit, level);
          assertThat(Chunk.root(handle)).isEqualTo(root);
          assertThat(Chunk.unit(handle)).isEqualTo(unit);
          assertThat(Chunk.level(handle)).isEqualTo(level);
          assertThat(handle).isNotEqualTo(Chunk.NONE);
        }
      }
    }
  }

  @Test
  void names_areSizes() {
    assertThat(IntStream.range(0, Chunk.LEVEL_COUNT).mapToObj(Chunk::name))
        .containsExactly(
            "16m", "8m", "4m", "2m", "1m", "512k", "256k", "128k", "64k", "32k", "16k", "8k", "4k",
            "2k", "1k");
  }

  @Test
  void list_isThatOfAnOrdinaryOne() {
    ChunkList list = new ChunkList();
    long leastBytes = list.metadataBytes();
    assertThat(leastBytes).isEqualTo(8); // most arenas have one chunk
    List<Long> model = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      list.prepare();
      long bytes = list.metadataBytes();
      list.add(7L * i);
      assertThat(list.metadataBytes()).as("it was prepared").isEqualTo(bytes);
      model.add(7L * i);
      assertThat(list.last()).isEqualTo(7L * i);
      assertThat(list.metadataBytes()).isBetween(8L * (i + 1), 8L * (2 * i + 8));
    }
    compare(list, model);
    list.truncate(10);
    compare(list, model.subList(0, 10));
    list.add(5);
    assertThat(list.last()).isEqualTo(5);
    list.clear();
    assertThat(list.count()).isZero();
    assertThat(list.metadataBytes()).isEqualTo(leastBytes);
    list.add(3);
    list.add(4); // without prepare
    compare(list, List.of(3L, 4L));
  }

  private static void compare(ChunkList list, List<Long> model) {
    assertThat(list.count()).isEqualTo(model.size());
    for (int i = 0; i < model.size(); i++) {
      assertThat(list.get(i)).isEqualTo(model.get(i));
    }
  }
}
