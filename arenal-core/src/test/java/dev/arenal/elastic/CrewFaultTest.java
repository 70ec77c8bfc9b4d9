package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The threads of a pretouch of a space find the Java heap full, or their stack at its end: the
 * pretouch fails and gives everything back, or the space is damaged and says so.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CrewFaultTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  void heapFull_asSomethingGrows(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.GROWTH, 1)).isZero();
    assertThat(FaultSweep.everyPlace(program, Fault.GROWTH, 1)).isZero();
  }

  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class, OfHugePages.class})
  void heapFull_atEveryPlace(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.HEAP, 3)).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  void stackAtItsEnd_atSomePlaces(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.STACK, 251)).isGreaterThan(500);
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void stackAtItsEnd_atEveryPlace(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.STACK, 1)).isGreaterThan(500);
  }

  /** Commit is bookkeeping. */
  public static final class OfDiscarded extends Crew {
    /** For the sweep. */
    public OfDiscarded() {
      super(CommitMode.DISCARD, false);
    }
  }

  /** Commit is a call. */
  public static final class OfProtected extends Crew {
    /** For the sweep. */
    public OfProtected() {
      super(CommitMode.PROTECT, false);
    }
  }

  /** Advice about the size of pages comes before they are touched. */
  public static final class OfHugePages extends Crew {
    /** For the sweep. */
    public OfHugePages() {
      super(CommitMode.DISCARD, true);
    }
  }

  /** A space in use is pretouched by threads that are bound, so that the caller does nothing. */
  abstract static class Crew implements FaultProgram {
    private static final long WANTED_BYTES = 5 * MIB;

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("faulty", 64 * MIB);
    private final List<MemorySegment> blocks = new ArrayList<>();
    private final CommitMode mode;
    private final boolean hugePages;
    private @Nullable ElasticSpace space;
    private @Nullable ElasticArena arena;
    private long committedBefore;

    Crew(CommitMode mode, boolean hugePages) {
      this.mode = mode;
      this.hugePages = hugePages;
    }

    @Override
    public void prepare() {
      BitSet first = BitSet.valueOf(new long[] {1});
      BitSet second = BitSet.valueOf(new long[] {2});
      os.setNodes(List.of(first, second));
      os.populateReally(); // so that one thread has a part in hand when the other one fails
      MemoryFigures figures =
          new MemoryFigures(
              40 * MIB,
              4000 * MIB,
              List.of(),
              MemoryFigures.UNKNOWN,
              MIB,
              0,
              MemoryFigures.UNKNOWN,
              MIB);
      os.setMemoryFigures(() -> figures);
      ElasticSpace built =
          ElasticSpace.builder("faulty")
              .operatingSystem(os)
              .budget(budget)
              .longestCloseWait(Duration.ofMillis(20))
              .commitMode(mode)
              .reserveBytes(64 * 1024)
              .build();
      space = built;
      arena = built.openShared("live");
      for (int i = 1; i < 12; i++) {
        allocate(i * 10_000L);
        try (ElasticArena gone = built.openConfined("gone")) {
          Contents.write(gone.allocate(i * 5000L), (byte) 99);
        }
      }
      committedBefore = built.committedBytes();
    }

    private void allocate(long sizeBytes) {
      MemorySegment block = Objects.requireNonNull(arena).allocate(sizeBytes);
      assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
      Contents.write(block, tag(block));
      blocks.add(block);
    }

    @Override
    public void operate() {
      ElasticSpace built = Objects.requireNonNull(space);
      Pretouch wanted = Pretouch.upTo(WANTED_BYTES).threads(2).onNode(1);
      var _ = built.pretouch(hugePages ? wanted.withHugePages() : wanted);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      ElasticSpace built = Objects.requireNonNull(space);
      boolean damaged = isDamaged(built, thrown);
      checkStamps();
      if (!damaged) {
        assertThat(thrown == null || thrown instanceof VirtualMachineError).isTrue();
        if (thrown == null) {
          assertThat(built.committedBytes()).isEqualTo(WANTED_BYTES);
        } else {
          assertThat(built.committedBytes()).isLessThanOrEqualTo(committedBefore);
          assertThat(built.floorBytes()).isZero();
        }
        assertThat(built.pretouch(Pretouch.upTo(2 * MIB)).touchedBytes()).isPositive();
        for (int i = 1; i < 30; i++) {
          allocate(i * 3000L);
        }
      }
      checkStamps();
      Objects.requireNonNull(arena).close();
      if (damaged) {
        built.close();
        assertThat(budget.committedBytes()).isZero();
        os.assertNothingMapped();
      } else {
        TestSpaces.closeAll(new ArrayList<>(List.of(built)), os);
      }
    }

    private static boolean isDamaged(ElasticSpace built, @Nullable Throwable thrown) {
      try {
        built.verify();
        return false;
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageStartingWith("space is damaged: space=faulty, cause=java.lang.");
        assertThat(thrown)
            .as("a full heap has done damage")
            .isNotInstanceOf(OutOfMemoryError.class);
        return true;
      }
    }

    private void checkStamps() {
      for (MemorySegment block : blocks) {
        assertThat(Contents.mismatch(block, tag(block))).isEqualTo(-1);
      }
    }

    private static byte tag(MemorySegment block) {
      return (byte) (1 + (block.address() >>> 3) % 100);
    }
  }
}
