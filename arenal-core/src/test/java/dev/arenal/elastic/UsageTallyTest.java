package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Figures read while the owner is at work: whatever they are, the parts sum up. */
final class UsageTallyTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void figuresThatDoNotFit_giveWay_blocksFirst() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(1 << 20));
    try (ElasticArena open = space.openConfined()) {
      MemorySegment free = open.allocate(6000);
      var _ = open.allocate(20_000);
      open.deallocate(free);
      ChunkedArena arena = (ChunkedArena) open;
      EarlyFrees frees = arena.earlyFrees;
      long all = arena.committedBytes;
      assertThat(all).isGreaterThanOrEqualTo(26_000);
      // used, of the rest; then what is expected of used and free
      long[][] cases = {
        {0, 0, 0, 6000},
        {20_000, 100, 20_000, 6100},
        {all, 100, all, 0},
        {all + 5000, Long.MAX_VALUE, all, 0},
        {all - 4000, 0, all - 4000, 4000},
        {all - 7000, 900, all - 7000, 6900},
        {all - 7000, 5000, all - 7000, 7000},
        {0, all, 0, all},
        {-8, -8, 0, 6000},
      };
      for (long[] each : cases) {
        UsageTally tally = new UsageTally();
        tally.setRacy(arena, each[0], frees, each[1]);
        SpaceReport.Usage usage = tally.toUsage();
        assertThat(usage.committedBytes()).isEqualTo(all);
        assertThat(usage.usedBytes()).as("used of %d", each[0]).isEqualTo(each[2]);
        assertThat(usage.freeBytes()).as("free of %d", each[1]).isEqualTo(each[3]);
        assertThat(usage.wasteBytes()).isEqualTo(all - each[2] - each[3]);
        assertThat(usage.deallocatedBytes()).isEqualTo(6000);
        assertThat(usage.deallocatedBlockCount()).isEqualTo(1);
        assertThat(usage.deallocatedCommittedBytes()).isEqualTo(Math.min(6000, all - each[2]));
      }
    }
  }
}
