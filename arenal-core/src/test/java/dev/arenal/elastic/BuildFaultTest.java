package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A space that cannot be built leaves nothing behind: no addresses, and nothing in the budget. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BuildFaultTest {
  @ParameterizedTest
  @ValueSource(classes = {Growable.class, Fixed.class, Pretouched.class})
  void fullHeap_leavesNothingMapped(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.HEAP, 1)).isPositive();
    assertThat(FaultSweep.everyPlace(program, Fault.GROWTH, 1)).isZero();
  }

  @ParameterizedTest
  @ValueSource(classes = {Growable.class, Fixed.class})
  void heapThatStaysFull_leavesNothingMapped(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.fromEveryPlace(program, Fault.HEAP, 1)).isPositive();
  }

  /** Address space from the first arena on. */
  public static final class Growable extends Build {
    /** For the sweep. */
    public Growable() {}

    @Override
    ElasticSpaceBuilder set(ElasticSpaceBuilder builder) {
      return builder;
    }
  }

  /** Address space at once. */
  public static final class Fixed extends Build {
    /** For the sweep. */
    public Fixed() {}

    @Override
    ElasticSpaceBuilder set(ElasticSpaceBuilder builder) {
      return builder.fixedSizeBytes(32 << 20);
    }
  }

  /** Memory at once. */
  public static final class Pretouched extends Build {
    /** For the sweep. */
    public Pretouched() {}

    @Override
    ElasticSpaceBuilder set(ElasticSpaceBuilder builder) {
      return builder.pretouch(Pretouch.upTo(1 << 20).threads(1).forced());
    }
  }

  /** Over a simulated kernel. */
  abstract static class Build implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", 64 << 20);
    private @Nullable ElasticSpace space;

    abstract ElasticSpaceBuilder set(ElasticSpaceBuilder builder);

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      space = set(ElasticSpace.builder("b").operatingSystem(os).budget(budget)).build();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof OutOfMemoryError).isTrue();
      assertThat(space == null).isEqualTo(thrown != null);
      if (space != null) {
        space.close();
      }
      assertThat(budget.committedBytes()).isZero();
      os.assertNothingMapped();
    }
  }
}
