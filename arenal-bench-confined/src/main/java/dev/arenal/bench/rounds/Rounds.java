package dev.arenal.bench.rounds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs benchmarks in rounds: each of them once in a fork of its own, then all again. One that is in
 * the plan twice is measured twice a round.
 *
 * <p>JMH itself runs all forks of a benchmark one after the other, so that whatever else the
 * machine does in these seconds hits one contender alone. Here it is shared. The forks of a
 * benchmark are put together by JMH, and its results are written as JMH writes them.
 *
 * <p>What it does is on standard output, in lines that begin with {@code @arenal}.
 */
public final class Rounds {
  private static final String TELLS = "@arenal ";

  private final RoundsPlan plan;
  private final Map<RoundsPlan.Cell, List<BenchmarkResult>> results = new LinkedHashMap<>();

  private Rounds(RoundsPlan plan) {
    this.plan = plan;
  }

  /**
   * Runs a plan.
   *
   * @param args the file with the plan, and where the results go
   */
  public static void main(String[] args) throws IOException, RunnerException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          "wrong arguments: countArguments=%d (expected the plan and the place of the results)"
              .formatted(args.length));
    }
    // A person that runs two of these at once has been told to leave the machine alone.
    System.setProperty("jmh.ignoreLock", "true");
    Rounds rounds = new Rounds(RoundsPlan.parse(Files.readAllLines(Path.of(args[0]))));
    rounds.run();
    rounds.write(args[1]);
  }

  private void run() {
    long start = System.nanoTime();
    long longestNanos = 0;
    for (int round = 0; round < plan.countRounds(); round++) {
      long begin = System.nanoTime();
      if (plan.mostSeconds() > 0
          && begin - start + longestNanos > TimeUnit.SECONDS.toNanos(plan.mostSeconds())) {
        tell("no time for more rounds: done=%d".formatted(round));
        return;
      }
      for (int cell = 0; cell < plan.cells().size(); cell++) {
        tell("at %d %d".formatted(round, cell));
        run(cell);
      }
      longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
    }
  }

  /** One fork; one that fails is told of, and the others go on. */
  private void run(int cell) {
    List<BenchmarkResult> forks = new ArrayList<>();
    String failure = "its JVM ended without a result";
    try {
      Collection<RunResult> run = new Runner(plan.options(cell, GCProfiler.class)).run();
      run.forEach(result -> forks.addAll(result.getBenchmarkResults()));
    } catch (RunnerException e) {
      failure = String.valueOf(e.getMessage());
    }
    if (forks.isEmpty()) {
      tell("failed %d %s".formatted(cell, failure.lines().findFirst().orElse("")));
    }
    results.computeIfAbsent(plan.cells().get(cell), _ -> new ArrayList<>()).addAll(forks);
  }

  private void write(String file) {
    List<RunResult> all = new ArrayList<>();
    for (List<BenchmarkResult> forks : results.values()) {
      if (!forks.isEmpty()) {
        all.add(new RunResult(forks.getFirst().getParams(), forks));
      }
    }
    ResultFormatFactory.getInstance(ResultFormatType.JSON, file).writeOut(all);
    tell("done");
  }

  private static void tell(String what) {
    System.out.println(TELLS + what);
    System.out.flush();
  }
}
