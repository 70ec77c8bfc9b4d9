package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.guard.Damage;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Each change that is made under the lock of a space says so before it begins (INV-DAMAGE-1): where
 * the stack ends in it, the thread that has the lock next finds the space damaged, or nothing
 * changed.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DamageFaultTest {
  @Test
  void discardInALiveArena() {
    assertThat(FaultSweep.everyPlace(Discarding.class, Fault.STACK, 5)).isGreaterThan(50);
  }

  /**
   * A space with some live blocks, of which one goes back early, and its granules with it; another
   * thread looks as soon as the lock is free.
   */
  public static final class Discarding implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("faulty", 64 << 20);
    private final List<MemorySegment> blocks = new ArrayList<>();
    private @Nullable ElasticSpace space;
    private @Nullable ChunkedArena arena;

    /** For the sweep. */
    public Discarding() {}

    @Override
    public void prepare() {
      ElasticSpace built =
          ElasticSpace.builder("faulty").operatingSystem(os).budget(budget).build();
      space = built;
      arena = (ChunkedArena) built.openConfined("live");
      for (int i = 1; i < 12; i++) {
        MemorySegment block = arena().allocate(i * 50_000L + 300_000);
        Contents.write(block, (byte) 7);
        blocks.add(block);
      }
    }

    @Override
    public void operate() {
      // Not by deallocate, which notes damage for what its arena guards.
      MemorySegment block = blocks.getFirst();
      long from = (block.address() + 65535) & -65536;
      var _ = arena().space.growth.discard(arena(), from, from + 131_072);
    }

    private ChunkedArena arena() {
      return Objects.requireNonNull(arena);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      for (MemorySegment block : blocks.subList(1, blocks.size())) {
        assertThat(Contents.mismatch(block, (byte) 7)).isEqualTo(-1);
      }
      ElasticSpace built = Objects.requireNonNull(space);
      Damage damage = arena().space.damage;
      if (!damage.isNoted()) {
        try {
          built.verify(); // takes the lock, and looks
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageStartingWith("space is damaged: space=faulty, cause=java.lang.");
        }
      }
      if (thrown != null) {
        // As deallocate does: between two changes, a claim may have been left behind.
        damage.note(thrown);
      }
      arena().close();
      built.close();
      assertThat(budget.committedBytes()).isZero();
      os.assertNothingMapped();
    }
  }
}
