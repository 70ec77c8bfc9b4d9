package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.stats.Await;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that makes memory ready survives a full Java heap, wherever it meets it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TouchThreadFaultTest {
  @Test
  void fullHeap_inTheThread_costsHelp_andNothingElse() {
    assertThat(FaultSweep.everyPlaceOfOthers(FastGrowth.class, Fault.HEAP, 1)).isGreaterThan(5);
  }

  @Test
  void fullHeap_asSomethingGrows() {
    assertThat(FaultSweep.everyPlaceOfOthers(FastGrowth.class, Fault.GROWTH, 1)).isNotNegative();
  }

  /** Arenas that grow so fast that the thread helps, and then stand still. */
  public static final class FastGrowth implements FaultProgram {
    private static final int PIECE_BYTES = 1024;

    private final Budget budget = Budget.unlimited("fast");
    private @Nullable ElasticSpace space;

    /** For the sweep. */
    public FastGrowth() {}

    @Override
    public void prepare() {
      space = ElasticSpace.builder("fast").budget(budget).touchAhead(true).build();
    }

    @Override
    public void operate() {
      grow(4 << 20);
    }

    private void grow(int sizeBytes) {
      ElasticSpace built = Objects.requireNonNull(space);
      try (ElasticArena first = built.openConfined();
          ElasticArena second = built.openConfined()) {
        for (int done = 0; done < sizeBytes; done += 2 * PIECE_BYTES) {
          use(first);
          use(second);
        }
        Await.until(() -> built.touchAhead().readyBytes() == 0); // the thread takes it back
      }
    }

    private static void use(ElasticArena arena) {
      MemorySegment block = arena.allocate(PIECE_BYTES);
      assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
      block.fill((byte) 1);
    }

    /** After the fault the thread helps again, in a space that has lost nothing. */
    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown).isNull();
      ElasticSpace built = Objects.requireNonNull(space);
      built.verify();
      built.trim();
      assertThat(budget.committedBytes()).isZero();
      Await.until(() -> isHelped(built)); // the thread may have to wait for a processor
      built.close();
      assertThat(budget.committedBytes()).isZero();
    }

    private static boolean isHelped(ElasticSpace built) {
      boolean helped = false;
      try (ElasticArena arena = built.openConfined()) {
        for (int i = 0; i < 4096 && !helped; i++) {
          use(arena);
          helped = i % 64 == 0 && built.touchAhead().readyBytes() > 0;
        }
      }
      return helped;
    }
  }
}
