package dev.arenal.lab.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BlockTableTest {
  private static final long BASE = 0x7f00_0000_0000L;

  @Test
  void randomOperations_agreeWithAMap() {
    String given = System.getProperty("test.seed", "");
    long seed = given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
    Random random = new Random(seed);
    BlockTable table = new BlockTable();
    Map<Long, Integer> model = new HashMap<>();
    for (int block = 0; block < 200_000; block++) {
      long address = BASE + 8L * random.nextInt(5_000);
      if (random.nextInt(5) < 3) {
        table.put(address, block);
        model.put(address, block);
      } else {
        Integer expected = model.remove(address);
        assertThat(table.remove(address))
            .as("test.seed=%d, block %d", seed, block)
            .isEqualTo(expected == null ? -1 : expected);
      }
      assertThat(table.size()).isEqualTo(model.size());
    }
  }
}
