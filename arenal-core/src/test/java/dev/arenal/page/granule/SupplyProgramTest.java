package dev.arenal.page.granule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of page operations against an oracle: drawn ones, and one with every call refused. */
final class SupplyProgramTest {
  private static final int PROGRAM_COUNT = 60;
  private static final int OP_COUNT = 250;
  private static final int ENOUGH_CALLS = 5000;

  @Test
  void drawnPrograms_agreeWithOracle() {
    for (int number = 0; number < PROGRAM_COUNT; number++) {
      SplittableRandom random = new SplittableRandom(Seeds.derive("SupplyProgram", number));
      SupplyConfig config = SupplyConfig.draw(random);
      List<SupplyOp> ops = SupplyOp.draw(random, OP_COUNT);
      try {
        runAll(config, ops, new Supplies(), false);
      } catch (AssertionError e) {
        throw new AssertionError(
            Seeds.hint() + ", program " + number + ", " + config + ": " + e.getMessage(), e);
      }
    }
  }

  /** The kernel refuses now and then, anything. */
  @Test
  void drawnPrograms_surviveRefusals() {
    for (int number = 0; number < PROGRAM_COUNT; number++) {
      SplittableRandom random = new SplittableRandom(Seeds.derive("SupplyRefusals", number));
      SupplyConfig config = SupplyConfig.draw(random);
      List<SupplyOp> ops = SupplyOp.draw(random, OP_COUNT);
      int first = 1 + random.nextInt(36);
      Supplies supplies = new Supplies();
      try {
        SupplyRunner runner = new SupplyRunner(supplies, config, true);
        supplies.os.failCalls(first, 1 + random.nextInt(20), Errno.ENOMEM);
        runner.run(ops);
        supplies.os.succeed();
        runner.finish();
        supplies.finish();
      } catch (AssertionError e) {
        throw new AssertionError(
            Seeds.hint() + ", program " + number + ", " + config + ": " + e.getMessage(), e);
      }
    }
  }

  /** Grows, harvests into holes, defragments, discards, gives back partly, uncommits in chunks. */
  private static final List<SupplyOp> OPS =
      SupplyOp.parse(
          """
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          GIVE_BACK 0 0
          GIVE_BACK 1 0
          GIVE_BACK 2 0
          GIVE_BACK 3 0
          TAKE_LARGE 3 0
          GIVE_BACK 6 1
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          GIVE_BACK 7 0
          TAKE_MEDIUM 0 0
          DISCARD 8 10
          DISCARD 8 33
          RECOMMIT 8 0
          DISCARD 0 5
          GIVE_BACK 8 0
          GIVE_BACK 0 0
          TICK 1 0
          TICK 999 0
          TICK 2 0
          GIVE_BACK 0 0
          GIVE_BACK 2 0
          TICK 500 0
          TICK 999 0
          TICK 500 0
          TAKE_CACHED 0 0
          UNDO 0 0
          TAKE_LARGE 2 1
          DISCARD 1 20
          GIVE_BACK 1 0
          GIVE_BACK 0 0
          TRIM 0 0
          TAKE_MEDIUM 1 0
          GIVE_BACK 0 0
          TAKE_SMALL 0 0
          """);

  @ParameterizedTest
  @CsvSource({
    "DISCARD, 1000, 1", "DISCARD, 1000, 2", "DISCARD, 0, 1", "PROTECT, 1000, 1",
    "PROTECT, 1000, 2", "PROTECT, 1000, 40", "DISCARD, 1000, 40", "PROTECT, 0, 1"
  })
  void everyCallRefusedInTurn(CommitMode mode, long delayMillis, int refusedCount) {
    SupplyConfig config = refused(mode, delayMillis);
    for (int call = 1; call < ENOUGH_CALLS; call++) {
      Supplies supplies = new Supplies();
      try {
        SupplyRunner runner = new SupplyRunner(supplies, config, true);
        supplies.os.failCalls(call, refusedCount, Errno.ENOMEM);
        runner.run(OPS);
        int failureCount = supplies.os.failureCount();
        supplies.os.succeed();
        runner.finish();
        supplies.finish();
        if (failureCount == 0) {
          return;
        }
      } catch (AssertionError e) {
        throw new AssertionError("call " + call + " refused: " + e.getMessage(), e);
      }
    }
    throw new AssertionError("the program makes more calls than expected: " + ENOUGH_CALLS);
  }

  /** Or the test above would refuse nothing of interest. */
  @Test
  void program_makesEveryCall() {
    Set<Call> missing = EnumSet.allOf(Call.class);
    missing.removeAll(EnumSet.of(Call.TOUCH, Call.ADVISE_HUGE, Call.BIND)); // of a pretouch
    missing.remove(Call.NAME); // NamedMappingsTest
    missing.remove(Call.RESIDENCE); // ResidentCountTest
    for (CommitMode mode : CommitMode.values()) {
      Supplies supplies = new Supplies();
      SupplyRunner runner = new SupplyRunner(supplies, refused(mode, 1000), false);
      runner.run(OPS);
      SupplyStatistics statistics = runner.statistics();
      assertThat(statistics.harvests.get()).as("harvests, %s", mode).isPositive();
      assertThat(statistics.defragments.get() > 0).isEqualTo(mode == CommitMode.DISCARD);
      assertThat(statistics.uncommittedBytes.get()).isPositive();
      runner.finish();
      supplies.finish();
      missing.removeIf(call -> supplies.os.callCount(call) > 0);
    }
    assertThat(missing).isEmpty();
  }

  private static SupplyConfig refused(CommitMode mode, long delayMillis) {
    return new SupplyConfig(mode, 20, 20, delayMillis, 2, 2, 1000);
  }

  /** The oracle notices: a kernel that does not give back, a supply that loses a page. */
  @Test
  void brokenKernel_isNoticed() {
    SupplyConfig config = new SupplyConfig(CommitMode.DISCARD, 64, 64, 0, 0, 0, 1000);
    Supplies supplies = new Supplies();
    supplies.os.forgetToDiscard();
    List<SupplyOp> ops = SupplyOp.parse("TAKE_SMALL 0 0\nGIVE_BACK 0 0\nTAKE_SMALL 0 0");
    assertThatThrownBy(() -> runAll(config, ops, supplies, false))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("step 2, SupplyOp[kind=TAKE_SMALL, a=0, b=0]: not zero: block=0");
    supplies.finish();
  }

  private static void runAll(
      SupplyConfig config, List<SupplyOp> ops, Supplies supplies, boolean mayFail) {
    SupplyRunner runner = new SupplyRunner(supplies, config, mayFail);
    runner.run(ops);
    runner.finish();
    supplies.finish();
  }
}
