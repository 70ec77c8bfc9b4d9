package dev.arenal.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The owners of freed blocks, against a map. */
final class FreedBlocksTest {
  @Test
  void owners_areThoseOfAMap() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      int blockCount = random.nextInt(3000);
      double share = random.nextDouble();
      BitSet freed = new BitSet();
      for (int block = 0; block < blockCount; block++) {
        freed.set(block, random.nextDouble() < share);
      }
      FreedBlocks blocks = new FreedBlocks(freed);
      Map<Integer, Integer> owners = new HashMap<>();
      for (int block = 0; block < blockCount; block++) {
        int arena = random.nextInt(10);
        blocks.allocated(block, arena);
        if (freed.get(block)) {
          owners.put(block, arena);
        }
        int any = random.nextInt(blockCount + 10);
        assertThat(blocks.arenaOf(any)).as("seed %d", seed).isEqualTo(owners.getOrDefault(any, -1));
      }
    }
  }
}
