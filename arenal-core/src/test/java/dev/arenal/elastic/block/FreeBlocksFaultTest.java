package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the Java heap is full a change has not begun; what was just taken can be put back. */
@Timeout(600)
final class FreeBlocksFaultTest {
  @Test
  void heapFull_atEachPlace_changesNothing() {
    assertThat(FaultSweep.everyPlace(Steps.class, Fault.HEAP, 1)).isGreaterThan(20);
    assertThat(FaultSweep.fromEveryPlace(Steps.class, Fault.HEAP, 1)).isGreaterThan(20);
  }

  /** Drawn changes, with a flag for each word that is free. */
  public static final class Steps implements FaultProgram {
    private static final long BASE = 1L << 40;
    private static final int WORD_COUNT = 6 * FreeWords.SECTION_WORDS;
    private static final int STEP_COUNT = 3000;

    private final SplittableRandom random = new SplittableRandom(1);
    private final FreeBlocks blocks = new FreeBlocks();
    private final boolean[] free = new boolean[WORD_COUNT];
    private boolean isPuttingBack;

    @Override
    public void prepare() {
      var _ = blocks.add(BASE, 8);
      free[0] = true;
    }

    @Override
    public void operate() {
      for (int step = 0; step < STEP_COUNT; step++) {
        int mostLog = random.nextInt(32) == 0 ? 13 : random.nextInt(8);
        int count = 1 + random.nextInt(1 << mostLog);
        int from = random.nextInt(WORD_COUNT - count);
        if (random.nextInt(5) < 3) {
          if (!isAnyFree(from, count)) {
            var _ = blocks.add(BASE + 8L * from, 8L * count);
            mark(from, count, true);
          }
        } else {
          take(count);
        }
      }
    }

    private void take(int count) {
      long address = blocks.take(8L * count, 8L << random.nextInt(4));
      if (address != FreeBlocks.NONE) {
        if (random.nextInt(4) == 0) {
          isPuttingBack = true;
          var _ = blocks.add(address, 8L * count);
          isPuttingBack = false;
        } else {
          mark((int) ((address - BASE) >>> 3), count, false);
        }
      }
    }

    private boolean isAnyFree(int from, int count) {
      boolean any = false;
      for (int i = from; i < from + count; i++) {
        any |= free[i];
      }
      return any;
    }

    private void mark(int from, int count, boolean value) {
      for (int i = from; i < from + count; i++) {
        free[i] = value;
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(isPuttingBack).isFalse();
      blocks.verify();
      long count = 0;
      for (int i = 0; i < WORD_COUNT; i++) {
        count += free[i] ? 1 : 0;
        assertThat(blocks.overlaps(BASE + 8L * i, 8)).isEqualTo(free[i]);
      }
      assertThat(blocks.totalBytes()).isEqualTo(8 * count);
    }
  }
}
