package dev.arenal.page;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs of page operations against an oracle: drawn ones, and one with every call refused. */
final class SupplyProgramTest {
  private static final int COUNT_PROGRAMS = 60;
  private static final int COUNT_OPS = 250;
  private static final int ENOUGH_CALLS = 5000;

  @Test
  void drawnPrograms_agreeWithOracle() {
    for (int number = 0; number < COUNT_PROGRAMS; number++) {
      SplittableRandom random = new SplittableRandom(Seeds.derive("SupplyProgram", number));
      SupplyConfig config = SupplyConfig.draw(random);
      List<SupplyOp> ops = SupplyOp.draw(random, COUNT_OPS);
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
    for (int number = 0; number < COUNT_PROGRAMS; number++) {
      SplittableRandom random = new SplittableRandom(Seeds.derive("SupplyRefusals", number));
      SupplyConfig config = SupplyConfig.draw(random);
      List<SupplyOp> ops = SupplyOp.draw(random, COUNT_OPS);
      int first = 2 + config.hashCode() % 7 + random.nextInt(30);
      Supplies supplies = new Supplies();
      try {
        SupplyRunner runner = new SupplyRunner(supplies, config, true);
        supplies.os.failCalls(Math.max(1, first), 1 + random.nextInt(20), Errno.ENOMEM);
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
          TAKE_LARGE 7 0
          GIVE_BACK 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 0
          TAKE_SMALL 0 1
          TAKE_SMALL 0 1
          TAKE_SMALL 0 1
          TAKE_SMALL 0 1
          TAKE_SMALL 0 1
          TAKE_SMALL 0 1
          TAKE_SMALL 0 1
          GIVE_BACK 1 0
          GIVE_BACK 2 0
          GIVE_BACK 3 0
          GIVE_BACK 4 0
          TAKE_MEDIUM 0 0
          TAKE_MEDIUM 1 0
          DISCARD 6 70
          DISCARD 0 5
          DISCARD 5 9
          RECOMMIT 0 0
          RECOMMIT 5 0
          GIVE_BACK 0 0
          GIVE_BACK 4 0
          GIVE_BACK 0 0
          GIVE_BACK 0 1
          TICK 1 0
          TICK 999 0
          TICK 2 0
          TICK 500 0
          TICK 300 0
          TAKE_CACHED 1 3
          TAKE_LARGE 9 1
          UNDO 0 0
          DISCARD 1 20
          GIVE_BACK 1 0
          GIVE_BACK 0 0
          TRIM 0 0
          TAKE_MEDIUM 2 0
          GIVE_BACK 0 0
          """);

  @ParameterizedTest
  @CsvSource({
    "DISCARD, 1000, 1", "DISCARD, 1000, 2", "DISCARD, 0, 1", "PROTECT, 1000, 1",
    "PROTECT, 1000, 2", "PROTECT, 1000, 40", "DISCARD, 1000, 40", "PROTECT, 0, 1"
  })
  void everyCallRefusedInTurn(CommitMode mode, long delayMillis, int countRefused) {
    SupplyConfig config = new SupplyConfig(mode, 20, 20, delayMillis, 2, 2, 1000);
    for (int call = 1; call < ENOUGH_CALLS; call++) {
      Supplies supplies = new Supplies();
      try {
        SupplyRunner runner = new SupplyRunner(supplies, config, true);
        supplies.os.failCalls(call, countRefused, Errno.ENOMEM);
        runner.run(OPS);
        int countFailures = supplies.os.countFailures();
        supplies.os.succeed();
        runner.finish();
        supplies.finish();
        if (countFailures == 0) {
          return;
        }
      } catch (AssertionError e) {
        throw new AssertionError("call " + call + " refused: " + e.getMessage(), e);
      }
    }
    throw new AssertionError("the program makes more calls than expected: " + ENOUGH_CALLS);
  }

  private static void runAll(
      SupplyConfig config, List<SupplyOp> ops, Supplies supplies, boolean mayFail) {
    SupplyRunner runner = new SupplyRunner(supplies, config, mayFail);
    runner.run(ops);
    runner.finish();
    supplies.finish();
  }
}
