package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every call to the kernel refused in turn: the same program again and again, each time with
 * another call that fails, until the program ends before the failure comes.
 */
final class FaultTest {
  private static final int ENOUGH_CALLS = 2000;

  /** Makes all calls: two nodes, early frees of many granules, closes, trims, dirty reuse. */
  private static final List<Op> OPS =
      Program.parse(
              """
              OPEN 0 0 0
              ALLOCATE 0 100000 8
              OPEN 0 7 0
              ALLOCATE 1 300000 8
              PRETOUCH 0 900000 2
              ALLOCATE 1 200000 64
              ALLOCATE 1 40 8
              FREE 1 0 0
              ALLOCATE 1 250000 8
              OPEN 0 1 0
              ALLOCATE 2 10 1
              ALLOCATE 2 5000 4096
              OPEN 0 2 0
              ALLOCATE 3 9000 8
              ALLOCATE 3 9000 8
              FREE 3 0 0
              ALLOCATE 0 20000000 8
              CLOSE 1 0 0
              ALLOCATE 0 700000 8
              ALLOCATE 0 70000 8
              ALLOCATE 2 3000000 8
              ALLOCATE 2 80000 8
              FREE 2 2 0
              CLOSE 0 0 0
              OPEN 0 4 0
              ALLOCATE 0 50000 8
              ALLOCATE 1 50000 8
              ALLOCATE 2 50000 1048576
              ALLOCATE 2 90000 8
              ALLOCATE 1 33000000 8
              ALLOCATE 1 33000000 33554432
              TRIM 0 0 0
              CLOSE 0 0 0
              CLOSE 0 0 0
              OPEN 0 0 0
              ALLOCATE 0 500000 8
              FREE 0 0 0
              ALLOCATE 0 400000 8
              VERIFY 0 0 0
              """)
          .ops();

  static Stream<Arguments> configs() {
    List<Arguments> configs = new ArrayList<>();
    for (CommitMode mode : CommitMode.values()) {
      for (ReclaimPolicy policy : ReclaimPolicy.values()) {
        configs.add(Arguments.of(mode, policy, 0L));
        configs.add(Arguments.of(mode, policy, 64L << 20));
      }
    }
    return configs.stream();
  }

  @ParameterizedTest
  @MethodSource("configs")
  void oneRefusedCall_changesNothingAndIsForgotten(
      CommitMode mode, ReclaimPolicy policy, long fixed) {
    refuseEachInTurn(program(mode, policy, fixed), 1);
  }

  @ParameterizedTest
  @MethodSource("configs")
  void rowOfRefusedCalls_changesNothingAndIsForgotten(
      CommitMode mode, ReclaimPolicy policy, long fixed) {
    refuseEachInTurn(program(mode, policy, fixed), 4);
  }

  @Test
  void program_makesEveryCall() {
    for (CommitMode mode : CommitMode.values()) {
      SimulatedOperatingSystem os = new SimulatedOperatingSystem();
      run(program(mode, ReclaimPolicy.BALANCED, 0), os);
      Set<Call> calls = EnumSet.noneOf(Call.class);
      for (Call call : Call.values()) {
        if (os.callCount(call) > 0) {
          calls.add(call);
        }
      }
      EnumSet<Call> expected =
          mode == CommitMode.DISCARD
              ? EnumSet.of(Call.RESERVE, Call.RELEASE, Call.DISCARD, Call.POPULATE, Call.TOUCH)
              : EnumSet.of(
                  Call.RESERVE, Call.RELEASE, Call.ALLOW, Call.REVOKE, Call.POPULATE, Call.TOUCH);
      assertThat(calls).isEqualTo(expected);
    }
  }

  @Test
  void fixedSpace_whoseAddressesAreRefused_isNotBuilt() {
    SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    os.failCalls(1, 1, Errno.EPERM);
    ElasticSpaceBuilder builder =
        ElasticSpace.builder("classes").operatingSystem(os).fixedSizeBytes(1000);
    assertThatThrownBy(builder::build)
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "address space refused: space=classes, requestedBytes=1000, errno=EPERM (1)"
                + " (see ulimit -v and vm.overcommit_memory, or ask for less)");
    builder.build().close();
    os.assertNothingMapped();
  }

  @Test
  void everyCallRefusedForGood_leavesAWorkingSpaceWhenItIsOver() {
    for (CommitMode mode : CommitMode.values()) {
      SimulatedOperatingSystem os = new SimulatedOperatingSystem();
      Program program = program(mode, ReclaimPolicy.BALANCED, 0);
      ProgramRunner runner = new ProgramRunner(program, os, Arena::allocate, 1, true);
      os.failCalls(1, Integer.MAX_VALUE - 1, Errno.ENOMEM);
      runner.runAll(step -> false);
      assertThat(runner.refusalCount).isPositive();
    }
  }

  private static Program program(CommitMode mode, ReclaimPolicy policy, long fixedSizeBytes) {
    long granuleBytes =
        switch (policy) {
          case NONE -> 65536;
          case BALANCED -> 4096;
          case AGGRESSIVE -> 16384;
        };
    return new Program(
        new ProgramConfig(granuleBytes, mode, fixedSizeBytes, policy, -1, -1, 1), OPS);
  }

  private static void refuseEachInTurn(Program program, int refusedCount) {
    int usualRefusals = run(program, new SimulatedOperatingSystem()).refusalCount;
    for (int call = 1; call < ENOUGH_CALLS; call++) {
      SimulatedOperatingSystem os = new SimulatedOperatingSystem();
      ProgramRunner runner = new ProgramRunner(program, os, Arena::allocate, ENOUGH_CALLS, true);
      os.failCalls(call, refusedCount, Errno.ENOMEM);
      AtomicBoolean checked = new AtomicBoolean(); // right after the failure, and at the end
      try {
        runner.runAll(step -> os.failureCount() > 0 && checked.compareAndSet(false, true));
      } catch (AssertionError e) {
        throw new AssertionError("call " + call + " refused: " + e.getMessage(), e);
      }
      if (os.failureCount() == 0) {
        return;
      }
      assertThat(runner.refusalCount)
          .as("refusals where call %d is refused", call)
          .isLessThanOrEqualTo(usualRefusals + os.failureCount());
    }
    throw new AssertionError("the program makes more calls than expected: " + ENOUGH_CALLS);
  }

  private static ProgramRunner run(Program program, SimulatedOperatingSystem os) {
    ProgramRunner runner = new ProgramRunner(program, os, Arena::allocate, ENOUGH_CALLS, true);
    runner.runAll(step -> false);
    return runner;
  }
}
