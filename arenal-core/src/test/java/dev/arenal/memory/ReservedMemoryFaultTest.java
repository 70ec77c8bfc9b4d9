package dev.arenal.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pretouches of reserved memory at the end of the Java heap and of the stack. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReservedMemoryFaultTest {
  private static final long MIB = 1 << 20;

  @Test
  void heapFull_inTheThreadsOfAPretouch() {
    assertThat(FaultSweep.everyPlaceOfOthers(Touched.class, Fault.HEAP, 1)).isGreaterThan(20);
  }

  @Test
  void heapFull_inTheCaller() {
    assertThat(FaultSweep.everyPlace(Touched.class, Fault.HEAP, 1)).isGreaterThan(10);
  }

  @Test
  void heapFull_asSomethingGrows() {
    assertThat(FaultSweep.everyPlaceOfOthers(Touched.class, Fault.GROWTH, 1)).isNotNegative();
    assertThat(FaultSweep.everyPlace(Touched.class, Fault.GROWTH, 1)).isNotNegative();
  }

  @Test
  void stackAtItsEnd_inTheThreadsOfAPretouch() {
    assertThat(FaultSweep.everyPlaceOfOthers(Touched.class, Fault.STACK, 31)).isGreaterThan(100);
  }

  @Tag("soak")
  @Test
  void stackAtItsEnd_inTheThreadsOfAPretouch_anywhere() {
    assertThat(FaultSweep.everyPlaceOfOthers(Touched.class, Fault.STACK, 1)).isGreaterThan(100);
  }

  @Test
  void heapThatStaysFull_inTheCallerOfAPretouch() {
    assertThat(FaultSweep.fromEveryPlace(Touched.class, Fault.HEAP, 1)).isGreaterThan(10);
  }

  @Test
  void heapFull_asMemoryIsReserved() {
    assertThat(FaultSweep.everyPlace(Reserved.class, Fault.HEAP, 1)).isPositive();
    assertThat(FaultSweep.fromEveryPlace(Reserved.class, Fault.HEAP, 1)).isPositive();
  }

  @Test
  void stackAtItsEnd_inACommitOrAnUncommit_leavesTheBooksRight_orDamage() {
    assertThat(FaultSweep.everyPlace(Used.class, Fault.STACK, 1)).isGreaterThan(100);
    assertThat(FaultSweep.fromEveryPlace(Used.class, Fault.STACK, 1)).isGreaterThan(100);
  }

  @Test
  void heapFull_inACommitOrAnUncommit_changesNothing() {
    assertThat(FaultSweep.everyPlace(Used.class, Fault.HEAP, 1)).isPositive();
    assertThat(FaultSweep.fromEveryPlace(Used.class, Fault.HEAP, 1)).isPositive();
  }

  /** Ranges that overlap are committed and given back. */
  public static final class Used implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", MIB);
    private final ReservedMemory memory = ReservedMemory.reserve(os, "table", MIB, budget);

    /** For the sweep. */
    public Used() {}

    @Override
    public void prepare() {
      assertThat(memory.commit(MIB / 2, MIB / 4)).isEqualTo(MIB / 4);
    }

    @Override
    public void operate() {
      assertThat(memory.commit(0, MIB)).isEqualTo(MIB / 4 * 3);
      assertThat(memory.uncommit(MIB / 4, MIB / 2)).isEqualTo(MIB / 2);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      if (!memory.isDamaged()) {
        assertThat(budget.committedBytes()).isEqualTo(memory.committedBytes());
        assertThat(memory.commit(0, MIB)).isNotNegative();
        assertThat(budget.committedBytes()).isEqualTo(MIB);
        assertThat(memory.uncommit(0, MIB)).isEqualTo(MIB);
      }
      memory.close();
      assertThat(budget.committedBytes()).isZero();
      os.assertNoComplaints();
      os.assertNothingMapped();
    }
  }

  /** Memory that cannot be reserved leaves no addresses behind. */
  public static final class Reserved implements FaultProgram {
    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", 24 * MIB);
    private @Nullable ReservedMemory memory;

    /** For the sweep. */
    public Reserved() {}

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      memory = ReservedMemory.reserve(os, "table", 24 * MIB, budget);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      ReservedMemory reserved = memory;
      assertThat(reserved == null).isEqualTo(thrown != null);
      if (reserved != null) {
        reserved.close();
      }
      os.assertNoComplaints();
      os.assertNothingMapped();
    }
  }

  /** Parts are in use; threads are bound, so that the caller touches nothing. */
  public static final class Touched implements FaultProgram {
    private static final long SIZE = 24 * MIB;
    private static final long VALUE = 0x1234_5678_9abc_def0L;

    private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    private final Budget budget = Budget.limitedTo("b", SIZE);
    private final ReservedMemory memory = ReservedMemory.reserve(os, "table", SIZE, budget);

    /** For the sweep. */
    public Touched() {}

    @Override
    public void prepare() {
      os.setNodes(List.of(BitSet.valueOf(new long[] {1}), BitSet.valueOf(new long[] {2})));
      os.populateReally(); // so that one thread has a part in hand when the other one fails
      MemoryFigures figures =
          new MemoryFigures(
              60 * MIB,
              4000 * MIB,
              List.of(),
              MemoryFigures.UNKNOWN,
              MIB,
              0,
              MemoryFigures.UNKNOWN,
              MIB);
      os.setMemoryFigures(() -> figures);
      for (long at = 0; at < SIZE; at += 4 * MIB) {
        assertThat(memory.commit(at, MIB)).isEqualTo(MIB);
        memory.segment().set(JAVA_LONG, at, VALUE + at);
      }
    }

    @Override
    public void operate() {
      var _ = memory.pretouch(Pretouch.all().threads(2).onNode(1));
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      checkContents();
      if (thrown != null && !(thrown instanceof OutOfMemoryError) && isDamaged()) {
        assertThatThrownBy(() -> memory.pretouch(Pretouch.all()))
            .hasMessageStartingWith("memory is damaged: memory=table, ");
        assertThatThrownBy(() -> memory.uncommit(0, MIB))
            .hasMessageStartingWith("memory is damaged: memory=table, ");
      } else {
        checkUse(thrown);
      }
      memory.close();
      assertThat(budget.committedBytes()).isZero();
      os.assertNoComplaints();
      os.assertNothingMapped();
    }

    private boolean isDamaged() {
      try {
        boolean isRefused = memory.commit(0, MIB) < 0;
        assertThat(memory.isDamaged()).isFalse();
        return isRefused;
      } catch (IllegalStateException e) {
        assertThat(memory.isDamaged()).isTrue();
        assertThat(e)
            .hasMessage(
                "memory is damaged: memory=table, cause=java.lang.StackOverflowError (an operation"
                    + " ended in the middle; close what is open, then the memory, and build another"
                    + " one)");
        return true;
      }
    }

    private void checkUse(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof VirtualMachineError).isTrue();
      assertThat(memory.committedBytes()).isEqualTo(thrown == null ? SIZE : SIZE / 4);
      assertThat(budget.committedBytes()).isEqualTo(memory.committedBytes());
      assertThat(memory.pretouch(Pretouch.all()).touchedBytes()).isEqualTo(SIZE);
      checkContents();
    }

    private void checkContents() {
      for (long at = 0; at < SIZE; at += 4 * MIB) {
        assertThat(memory.segment().get(JAVA_LONG, at)).isEqualTo(VALUE + at);
        assertThat(memory.segment().get(JAVA_LONG, at + 2 * MIB)).isZero();
      }
    }
  }
}
