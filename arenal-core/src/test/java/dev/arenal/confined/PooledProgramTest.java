package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Drawn steps against the oracle; a failure is shrunk and printed. */
@Timeout(300)
final class PooledProgramTest {
  private static final int OP_COUNT = 400;

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void drawnPrograms_agreeWithOracle(boolean isVirtual) throws Exception {
    runRounds(60, 1, isVirtual, PooledArena::ofConfined);
  }

  @ParameterizedTest
  @CsvSource({"4,false", "12,true"})
  void drawnPrograms_atTheSameTime_agreeWithOracle(int threadCount, boolean isVirtual)
      throws Exception {
    runRounds(15, threadCount, isVirtual, PooledArena::ofConfined);
  }

  @Test
  void drawnPrograms_checked_agreeWithOracle() throws Exception {
    runRounds(5, 2, false, CheckedArena::open);
    Quarantine.releaseAll();
  }

  @Tag("soak")
  @ParameterizedTest
  @CsvSource({"1,false", "4,false", "1,true", "300,true"})
  @Timeout(3600)
  void drawnPrograms_agreeWithOracle_forLong(int threadCount, boolean isVirtual) throws Exception {
    runRounds(6000 / threadCount, threadCount, isVirtual, PooledArena::ofConfined);
  }

  /** Broken arenas that the programs must catch: a test of the test. */
  @ParameterizedTest
  @EnumSource(BrokenArena.Fault.class)
  void brokenArena_isCaught(BrokenArena.Fault fault) throws Exception {
    for (int number = 0; number < 40; number++) {
      List<PooledOp> ops = PooledOp.draw(number, OP_COUNT);
      AssertionError failure = failure(ops, false, BrokenArena.opener(fault));
      if (failure != null) {
        assertThat(failure).hasMessageContaining(fault.message());
        List<PooledOp> smallest = shrink(ops, false, () -> BrokenArena.opener(fault));
        assertThat(smallest).as(text(smallest)).hasSizeLessThanOrEqualTo(fault.mostOps());
        return;
      }
    }
    throw new AssertionError("not caught: " + fault);
  }

  private static void runRounds(
      int roundCount, int threadCount, boolean isVirtual, Supplier<Arena> opener) throws Exception {
    for (int round = 0; round < roundCount; round++) {
      LiveBlocks live = new LiveBlocks();
      List<List<PooledOp>> programs = new ArrayList<>();
      List<Bodies.Running> threads = new ArrayList<>();
      for (int i = 0; i < threadCount; i++) {
        String test = "pooled" + threadCount + isVirtual;
        List<PooledOp> ops = PooledOp.draw(Seeds.derive(test, round * threadCount + i), OP_COUNT);
        programs.add(ops);
        threads.add(start(isVirtual, () -> new PooledProgram(ops, opener, live).run()));
      }
      for (int i = 0; i < threadCount; i++) {
        Throwable failure = threads.get(i).joinAndCatch();
        if (failure != null) {
          throw explained(programs.get(i), isVirtual, opener, failure);
        }
      }
    }
  }

  private static AssertionError explained(
      List<PooledOp> ops, boolean isVirtual, Supplier<Arena> opener, Throwable failure)
      throws Exception {
    String alone =
        failure(ops, isVirtual, opener) == null
            ? "not with this program alone"
            : "alone with\n" + text(shrink(ops, isVirtual, () -> opener));
    return new AssertionError(
        failure.getMessage() + "\n" + Seeds.hint() + "; it fails " + alone, failure);
  }

  private static List<PooledOp> shrink(
      List<PooledOp> ops, boolean isVirtual, Supplier<Supplier<Arena>> openers) {
    return new PooledShrinker(
            candidate -> failure(candidate, isVirtual, openers.get()) != null,
            Duration.ofSeconds(200))
        .shrink(ops);
  }

  /** On a thread of its own, which has no slabs yet. */
  private static @Nullable AssertionError failure(
      List<PooledOp> ops, boolean isVirtual, Supplier<Arena> opener) {
    try {
      Throwable thrown =
          start(isVirtual, () -> new PooledProgram(ops, opener, new LiveBlocks()).run())
              .joinAndCatch();
      return (AssertionError) thrown;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Bodies.Running start(boolean isVirtual, Bodies.Body body) {
    return isVirtual ? Bodies.startVirtual(body) : Bodies.start(body);
  }

  private static String text(List<PooledOp> ops) {
    return ops.stream().map(PooledOp::text).collect(Collectors.joining("\n"));
  }
}
