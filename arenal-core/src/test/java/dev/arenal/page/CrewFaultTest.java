package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.SimulatedOperatingSystem;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The threads of a pretouch of an allocator find the Java heap full, or their stack at its end: the
 * pretouch fails and gives everything back, or the allocator is damaged and says so.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CrewFaultTest {
  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  void heapFull_asSomethingGrows(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.GROWTH, 1)).isNotNegative();
    assertThat(FaultSweep.everyPlace(program, Fault.GROWTH, 1)).isNotNegative();
  }

  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  void heapFull_atSomePlaces(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.HEAP, 11)).isGreaterThan(20);
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  void heapFull_atEveryPlace(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.HEAP, 1)).isGreaterThan(20);
  }

  /** Few of them: the close of one that is damaged waits five seconds for what has been lost. */
  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  void stackAtItsEnd_atSomePlaces(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.STACK, 997)).isGreaterThan(300);
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(classes = {OfDiscarded.class, OfProtected.class})
  @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void stackAtItsEnd_atManyPlaces(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlaceOfOthers(program, Fault.STACK, 13)).isGreaterThan(300);
  }

  /** Commit is bookkeeping. */
  public static final class OfDiscarded extends Crew {
    /** For the sweep. */
    public OfDiscarded() {
      super(CommitMode.DISCARD);
    }
  }

  /** Commit is a call. */
  public static final class OfProtected extends Crew {
    /** For the sweep. */
    public OfProtected() {
      super(CommitMode.PROTECT);
    }
  }

  /** Threads are bound, so that the caller does nothing: cached, used and new memory. */
  abstract static class Crew extends PageFaultPrograms.Base {
    private static final long WANTED_BYTES = 40 * MIB;

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final CommitMode mode;
    private long committedBefore;

    Crew(CommitMode mode) {
      this.mode = mode;
    }

    @Override
    PageAllocatorBuilder builder() {
      return super.builder().operatingSystem(os).commitMode(mode);
    }

    @Override
    public void prepare() {
      os.setNodes(List.of(BitSet.valueOf(new long[] {1}), BitSet.valueOf(new long[] {2})));
      os.populateReally(); // so that one thread has a part in hand when the other one fails
      MemoryFigures figures =
          new MemoryFigures(
              90 * MIB,
              4000 * MIB,
              List.of(),
              MemoryFigures.UNKNOWN,
              MIB,
              0,
              MemoryFigures.UNKNOWN,
              MIB);
      os.setMemoryFigures(() -> figures);
      super.prepare();
      committedBefore = pages().committedBytes();
    }

    @Override
    public void operate() {
      var _ =
          pages().pretouch(dev.arenal.pretouch.Pretouch.upTo(WANTED_BYTES).threads(2).onNode(1));
    }

    /** New memory comes in granules; pages in use may have holes. */
    private static boolean isEnough(long committedBytes) {
      return committedBytes >= WANTED_BYTES && committedBytes < WANTED_BYTES + 2 * MIB;
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      if (!pages().state().isDamaged()) {
        require(thrown == null || thrown instanceof VirtualMachineError, "thrown: " + thrown);
        long committedBytes = pages().committedBytes();
        require(
            thrown == null ? isEnough(committedBytes) : committedBytes == committedBefore,
            "committedBytes=" + committedBytes + ", before=" + committedBefore);
        var _ = pages().pretouch(dev.arenal.pretouch.Pretouch.upTo(WANTED_BYTES));
        require(isEnough(pages().committedBytes()), "the next pretouch");
      } else {
        require(!(thrown instanceof OutOfMemoryError), "a full heap has done damage");
      }
      boolean isDamaged = pages().state().isDamaged();
      super.check(thrown);
      os.assertNoComplaints();
      if (isDamaged) {
        var _ = os.unmapWhatIsLeft();
      }
      os.assertNothingMapped();
    }
  }
}
