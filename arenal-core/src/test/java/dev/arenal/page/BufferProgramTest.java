package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Drawn programs of several threads against the oracle, whose threads take turns or go on at the
 * same time, with and without a kernel that refuses now and then; a failure is shrunk and printed
 * to be replayed.
 */
final class BufferProgramTest {
  private static final int OP_COUNT = 300;
  private static final int STEPS_PER_VERIFY = 16;

  /** A race that one run in so many finds is a failure all the same. */
  private static final int RUNS_OF_A_RACE = 10;

  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void drawnPrograms_agreeWithOracle(boolean isRefused, boolean isConcurrent) {
    runAll(Seeds.draws(isConcurrent ? 10 : 15), isRefused, isConcurrent);
  }

  /** Threads at the same time, over the real kernel, whom no monitor of a simulated one hinders. */
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Test
  void drawnPrograms_agreeWithOracle_onTheRealKernel() {
    runAllReal(Seeds.draws(10), BufferOp.THREAD_COUNT * OP_COUNT, false);
  }

  /** Up to eight hundred thousand steps; the soak has more. */
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Test
  void manySteps_agreeWithOracle_onTheRealKernel() {
    runAllReal(Seeds.draws(2), 400_000, true);
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"4000, 1200, false", "1500, 400000, true"})
  void drawnPrograms_agreeWithOracle_onTheRealKernel_forLong(
      int programCount, int operationCount, boolean isMany) {
    runAllReal(programCount, operationCount, isMany);
  }

  private static void runAllReal(int programCount, int operationCount, boolean isMany) {
    for (int number = 0; number < programCount; number++) {
      long seed = Seeds.derive("RealBufferProgram" + isMany, number);
      runOne(BufferProgram.drawReal(seed, operationCount, isMany));
    }
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void drawnPrograms_agreeWithOracle_forLong(boolean isRefused, boolean isConcurrent) {
    runAll(4000, isRefused, isConcurrent);
  }

  private static void runAll(int programCount, boolean isRefused, boolean isConcurrent) {
    for (int number = 0; number < programCount; number++) {
      long seed = Seeds.derive("BufferProgram" + isRefused + isConcurrent, number);
      int operationCount = isConcurrent ? BufferOp.THREAD_COUNT * OP_COUNT : OP_COUNT;
      runOne(BufferProgram.draw(seed, operationCount, isRefused, isConcurrent));
    }
  }

  private static void runOne(BufferProgram program) {
    AssertionError failure = failure(program, STEPS_PER_VERIFY);
    if (failure != null) {
      throw shrunk(program, failure);
    }
  }

  private static AssertionError shrunk(BufferProgram program, AssertionError failure) {
    BufferProgram smallest =
        new BufferShrinker(BufferProgramTest::isFound, Duration.ofSeconds(30)).shrink(program);
    return new AssertionError(
        failure.getMessage()
            + "\n"
            + Seeds.hint()
            + ", or put this into replayedProgram_agreesWithOracle:\n"
            + smallest.text(),
        failure);
  }

  private static boolean isFound(BufferProgram program) {
    for (int i = 0; i < (program.isConcurrent() ? RUNS_OF_A_RACE : 1); i++) {
      if (failure(program, 1) != null) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable AssertionError failure(BufferProgram program, int stepsPerVerify) {
    try {
      BufferRunner.run(program, new Allocators(), new BufferRunner.Target() {}, stepsPerVerify);
      return null;
    } catch (AssertionError e) {
      return e;
    }
  }

  /** The place for what a failure prints. */
  @Test
  void replayedProgram_agreesWithOracle() {
    BufferProgram program =
        BufferProgram.parse(
            """
            DISCARD 256 40 2 0 0 128 15 true false true 0 0 false false
            ALLOCATE 0 16 0
            ALLOCATE 1 960 1
            ALLOCATE_OR_WAIT 3 980 1
            CLOSE_BY_TWO 2 0 0
            CLOSE_TOO_EARLY 1 0 0
            TRIM 3 0 0
            CLOSE_TWICE 2 0 0
            WRITE 0 0 0
            """);
    BufferRunner.run(program, new Allocators(), new BufferRunner.Target() {}, 1);
  }

  @Test
  void text_isTheProgram() {
    BufferProgram program = BufferProgram.draw(7, 300, true, true);
    assertThat(BufferProgram.parse(program.text())).isEqualTo(program);
    BufferProgram real = BufferProgram.drawReal(7, 300, true);
    assertThat(BufferProgram.parse(real.text())).isEqualTo(real);
  }
}
