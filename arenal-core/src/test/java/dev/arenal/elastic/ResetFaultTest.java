package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.os.SimulatedOperatingSystem;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a reset ends by: the round goes on untouched, or the next one has begun, or the space is
 * damaged and the arena closed; and the space can be closed.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ResetFaultTest {
  @ParameterizedTest
  @ValueSource(
      classes = {
        Confined.class,
        Shared.class,
        ConfinedThatKeeps.class,
        SharedThatKeeps.class,
        ConfinedRounds.class,
        SharedRounds.class
      })
  void onAFullHeap(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.HEAP, 1)).isPositive();
    assertThat(FaultSweep.fromEveryPlace(program, Fault.HEAP, 1)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Confined.class,
        Shared.class,
        ConfinedThatKeeps.class,
        SharedThatKeeps.class,
        ConfinedRounds.class,
        SharedRounds.class
      })
  void atTheEndOfTheStack(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.STACK, 1)).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Confined.class,
        Shared.class,
        ConfinedThatKeeps.class,
        SharedThatKeeps.class,
        ConfinedRounds.class,
        SharedRounds.class
      })
  void thatMeetsAClassThatIsUnusable(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.LINKAGE, 1)).isGreaterThan(10);
  }

  /** The next thread that takes the lock notes damage. */
  private static boolean isDamaged(ElasticSpace space) {
    try {
      space.verify();
      return false;
    } catch (IllegalStateException e) {
      assertThat(e)
          .hasMessageStartingWith("space is damaged: space=" + space.name() + ", cause=java.lang.");
      return true;
    }
  }

  /** A confined arena with more than the reserve. */
  public static final class Confined extends Resetting {
    /** For the sweep. */
    public Confined() {
      super(false, 0);
    }
  }

  /** A shared arena with more than the reserve. */
  public static final class Shared extends Resetting {
    /** For the sweep. */
    public Shared() {
      super(true, 0);
    }
  }

  /** A confined arena that keeps its memory. */
  public static final class ConfinedThatKeeps extends Resetting {
    /** For the sweep. */
    public ConfinedThatKeeps() {
      super(false, 8 << 20);
    }
  }

  /** A shared arena that keeps its memory. */
  public static final class SharedThatKeeps extends Resetting {
    /** For the sweep. */
    public SharedThatKeeps() {
      super(true, 8 << 20);
    }
  }

  /** An arena, of which everything is known before and after. */
  abstract static class Resetting implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final ElasticSpace space;
    private final ElasticArena arena;
    private final MemorySegment[] blocks = new MemorySegment[10];

    Resetting(boolean shared, long reserveBytes) {
      space =
          ElasticSpace.builder("resetting")
              .operatingSystem(os)
              .reserveBytes(reserveBytes)
              .uncommitDelay(Duration.ofHours(1)) // a damaged space waits for what goes back
              .build();
      arena = shared ? space.openShared() : space.openConfined();
    }

    @Override
    public void prepare() {
      for (int i = 0; i < blocks.length; i++) {
        blocks[i] = arena.allocate(50_000);
        Contents.write(blocks[i], (byte) (1 + i));
      }
    }

    @Override
    public void operate() {
      arena.reset();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      boolean isDamaged = isDamaged(space);
      if (isDamaged && thrown instanceof OutOfMemoryError) {
        throw new AssertionError("a full heap has done damage", thrown);
      }
      if (blocks[0].scope().isAlive()) {
        assertThat(thrown).isNotNull();
        assertThat(isDamaged).isFalse();
        for (int i = 0; i < blocks.length; i++) {
          assertThat(Contents.mismatch(blocks[i], (byte) (1 + i))).isEqualTo(-1);
        }
        assertThat(arena.usedBytes()).isEqualTo(500_000);
        arena.reset();
      }
      assertThat(blocks[0].scope().isAlive()).isFalse();
      if (arena.scope().isAlive()) {
        if (!isDamaged) {
          space.verify();
          assertThat(arena.usedBytes()).isZero();
          assertThat(Contents.mismatchZero(arena.allocate(50_000))).isEqualTo(-1);
        }
        arena.close();
      } else {
        assertThat(isDamaged).as("a reset closes no arena otherwise").isTrue();
      }
      assertThat(space.arenaCount()).isZero();
      space.close();
      os.assertNothingMapped();
    }
  }

  /** A confined arena that works in rounds. */
  public static final class ConfinedRounds extends Rounds {
    /** For the sweep. */
    public ConfinedRounds() {
      super(false);
    }
  }

  /** A shared arena that works in rounds. */
  public static final class SharedRounds extends Rounds {
    /** For the sweep. */
    public SharedRounds() {
      super(true);
    }
  }

  /** Rounds of which some keep their memory: each call of each may fail. */
  abstract static class Rounds implements FaultProgram {
    private static final int[] SIZES = {40, 3000, 700, 20_000, 8, 90_000};

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final ElasticSpace space;
    private final ElasticArena arena;
    private final List<MemorySegment> live = new ArrayList<>();

    Rounds(boolean shared) {
      space =
          ElasticSpace.builder("rounds")
              .operatingSystem(os)
              .reserveBytes(128 << 10)
              .uncommitDelay(Duration.ofHours(1))
              .build();
      arena = shared ? space.openShared() : space.openConfined();
    }

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < SIZES.length - (round & 1); i++) {
          MemorySegment block = arena.allocate(SIZES[i] + 8L * round);
          assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
          Contents.write(block, (byte) SIZES[i]);
          live.add(block);
        }
        arena.deallocate(live.remove(2));
        arena.reset();
        live.clear();
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      boolean isDamaged = isDamaged(space);
      if (isDamaged && thrown instanceof OutOfMemoryError) {
        throw new AssertionError("a full heap has done damage", thrown);
      }
      for (MemorySegment block : live) {
        if (block.scope().isAlive()) {
          byte tag = (byte) SIZES[tagOf(block)];
          assertThat(Contents.mismatch(block, tag)).isEqualTo(-1);
        }
      }
      if (arena.scope().isAlive()) {
        if (!isDamaged) {
          space.verify();
          arena.reset();
          assertThat(arena.usedBytes()).isZero();
          assertThat(Contents.mismatchZero(arena.allocate(100_000))).isEqualTo(-1);
        }
        arena.close();
      } else {
        assertThat(isDamaged).as("a reset closes no arena otherwise").isTrue();
      }
      assertThat(space.arenaCount()).isZero();
      space.close();
      os.assertNothingMapped();
    }

    private static int tagOf(MemorySegment block) {
      int at = 0;
      while (block.byteSize() - SIZES[at] > 24 || block.byteSize() < SIZES[at]) {
        at++;
      }
      return at;
    }
  }
}
