package dev.arenal.elastic;

import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two million drawn steps against the oracle; a failure is shrunk and printed to be replayed. */
final class ProgramTest {
  private static final int OP_COUNT = 5000;

  @ParameterizedTest
  @CsvSource({"DISCARD,false", "DISCARD,true", "PROTECT,false", "PROTECT,true"})
  void drawnPrograms_agreeWithOracle(CommitMode mode, boolean fixed) {
    runAll(mode, fixed, Seeds.draws(100));
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"DISCARD,false", "DISCARD,true", "PROTECT,false", "PROTECT,true"})
  void drawnPrograms_agreeWithOracle_forLong(CommitMode mode, boolean fixed) {
    runAll(mode, fixed, 30_000);
  }

  private static void runAll(CommitMode mode, boolean fixed, int programCount) {
    for (int i = 0; i < programCount; i++) {
      long seed = Seeds.derive("programs" + mode + fixed, i);
      Program program = ProgramGenerator.draw(seed, OP_COUNT, mode, fixed);
      try {
        ProgramRunner.run(program, OP_COUNT / 2);
      } catch (AssertionError e) {
        throw shrunk(program, e);
      }
    }
  }

  private static AssertionError shrunk(Program program, AssertionError failure) {
    Predicate<Program> fails =
        candidate -> {
          try {
            ProgramRunner.run(candidate, 1);
            return false;
          } catch (AssertionError e) {
            return true;
          }
        };
    // Checked at every step from here on: a shorter program fails where the fault is.
    Program smallest = new ProgramShrinker(fails, Duration.ofSeconds(30)).shrink(program);
    return new AssertionError(
        failure.getMessage()
            + "\n"
            + Seeds.hint()
            + ", or put this into ProgramReplayTest:\n"
            + smallest.text(),
        failure);
  }
}
