package dev.arenal.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The first use of the library that fails anywhere in the thread that asks, in static initializers
 * too, leaves a library that can be used.
 */
@Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FirstUseFaultTest {
  /** The ways into the library. */
  enum Way {
    SPACES(Spaces.class, 13, 127),
    ALLOCATORS(Allocators.class, 19, 193),
    POOL(Pool.class, 1, 3),
    MEMORY(Memory.class, 2, 11);

    final Class<? extends FaultProgram> program;
    private final long heapStep;
    private final long stackStep;

    Way(Class<? extends FaultProgram> program, long heapStep, long stackStep) {
      this.program = program;
      this.heapStep = heapStep;
      this.stackStep = stackStep;
    }
  }

  @ParameterizedTest
  @EnumSource
  void firstUse_thatFails_isTriedAgain(Way way) {
    sweep(way, Fault.HEAP, way.heapStep);
    sweep(way, Fault.STACK, way.stackStep);
  }

  @Tag("soak")
  @ParameterizedTest
  @EnumSource
  void firstUse_thatFailsAnywhere_isTriedAgain(Way way) {
    sweep(way, Fault.HEAP, 1);
    sweep(way, Fault.STACK, 1);
  }

  private static void sweep(Way way, Fault fault, long step) {
    long first = 1 + ThreadLocalRandom.current().nextLong(step);
    assertThat(FaultSweep.everyPlaceOfFirstUse(way.program, fault, first, step)).isPositive();
  }

  /** Calls that need none before them, and whose owners the fault may leave open. */
  abstract static class FirstUse implements FaultProgram {
    @Override
    public void prepare() {}

    @Override
    public void check(@Nullable Throwable thrown) {
      if (thrown != null
          && !(thrown instanceof VirtualMachineError && Faults.MESSAGE.equals(thrown.getMessage()))
          && !(thrown instanceof IllegalStateException)) { // a close that found damage, say
        throw new AssertionError("the library cannot be used", thrown);
      }
    }
  }

  /** An elastic space with arenas of both kinds, and a delay. */
  public static final class Spaces extends FirstUse {
    /** For the sweep. */
    public Spaces() {}

    @Override
    public void operate() {
      try (ElasticSpace space =
          ElasticSpace.builder("first")
              .reserveBytes(0)
              .uncommitDelay(Duration.ofMillis(50))
              .build()) {
        try (ElasticArena confined = space.openConfined();
            ElasticArena shared = space.openShared()) {
          shared.allocate(100_000).copyFrom(confined.allocate(100_000));
        }
      }
    }
  }

  /** A page allocator with buffers of all sizes. */
  public static final class Allocators extends FirstUse {
    /** For the sweep. */
    public Allocators() {}

    @Override
    public void operate() {
      try (PageAllocator pages = PageAllocator.builder("pages").capacityBytes(64 << 20).build();
          PageBuffer small = pages.allocate(1000, PageAge.SHORT_LIVED);
          PageBuffer large = pages.allocate(3 << 20, PageAge.LONG_LIVED)) {
        large.segment().copyFrom(small.segment());
      }
    }
  }

  /** A pooled arena; the pool must be there the second time. */
  public static final class Pool extends FirstUse {
    private boolean isPooled;

    /** For the sweep. */
    public Pool() {}

    @Override
    public void operate() {
      try (Arena arena = PooledArena.ofConfined()) {
        arena.allocate(100).fill((byte) 1);
        isPooled = arena.getClass().getSimpleName().equals("SlabArena");
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      super.check(thrown);
      if (thrown == null && !isPooled) {
        operate();
        assertThat(isPooled).isTrue();
      }
    }
  }

  /** Reserved memory that counts against a budget. */
  public static final class Memory extends FirstUse {
    /** For the sweep. */
    public Memory() {}

    @Override
    public void operate() {
      Budget budget = Budget.limitedTo("first", 1 << 20);
      try (ReservedMemory memory = ReservedMemory.reserve("first", 1 << 20, budget)) {
        assertThat(memory.commit(0, 1 << 16)).isEqualTo(1 << 16);
      }
    }
  }
}
