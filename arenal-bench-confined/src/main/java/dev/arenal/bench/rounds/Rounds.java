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
import org.openjdk.jmh.runner.options.Options;

/**
 * Runs benchmarks in rounds: each of them once, then all again. One that is in the plan twice is
 * measured twice a round. Each has a fork of its own, or a JVM together with those that differ only
 * in parameters.
 *
 * <p>JMH itself runs all forks of a benchmark one after the other, so that whatever else the
 * machine does in these seconds hits one contender alone. Here it is shared. The forks of a
 * benchmark are put together by JMH, and its results are written as JMH writes them.
 *
 * <p>What it does is on standard output, in lines that begin with {@code @arenal}.
 */
public final class Rounds {
  private static final String TELLS = "@arenal ";

  private final Path planFile;
  private final RoundsPlan plan;
  private final Map<RoundsPlan.Cell, List<BenchmarkResult>> results = new LinkedHashMap<>();

  private Rounds(Path planFile) throws IOException {
    this.planFile = planFile;
    this.plan = RoundsPlan.parse(Files.readAllLines(planFile));
  }

  /**
   * Runs a plan.
   *
   * @param args the file with the plan, and where the results go
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 2) {
      throw new IllegalArgumentException(
          "wrong arguments: argumentCount=%d (expected the plan and the place of the results)"
              .formatted(args.length));
    }
    // A person that runs two of these at once has been told to leave the machine alone.
    System.setProperty("jmh.ignoreLock", "true");
    Rounds rounds = new Rounds(Path.of(args[0]));
    rounds.run();
    rounds.write(args[1]);
  }

  private void run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    long longestNanos = 0;
    for (int round = 0; round < plan.roundCount(); round++) {
      long begin = System.nanoTime();
      if (plan.mostSeconds() > 0
          && begin - start + longestNanos > TimeUnit.SECONDS.toNanos(plan.mostSeconds())) {
        tell("no time for more rounds: done=%d".formatted(round));
        return;
      }
      for (List<Integer> group : plan.groups()) {
        if (plan.cells().get(group.getFirst()).isJvmShared()) {
          runTogether(round, group);
        } else {
          for (int cell : group) {
            tellPlace(round, cell);
            add(cell, result(cell, plan.options(cell, GCProfiler.class)));
          }
        }
      }
      longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
    }
  }

  /** One JVM for all; if it dies, those that it has not measured have failed. */
  private void runTogether(int round, List<Integer> group)
      throws IOException, InterruptedException {
    SharedJvm.Measured measured = SharedJvm.run(planFile, plan, round, group);
    measured.results().forEach(this::add);
    if (measured.exitCode() != 0) {
      for (int cell : group) {
        if (!measured.results().containsKey(cell)) {
          tellFailure(cell, "its JVM ended: exitCode=" + measured.exitCode());
        }
      }
    }
  }

  private void add(int cell, List<BenchmarkResult> forks) {
    results.computeIfAbsent(plan.cells().get(cell), _ -> new ArrayList<>()).addAll(forks);
  }

  /** The results of JMH for a cell; none if it fails, which is told, and the others go on. */
  static List<BenchmarkResult> result(int cell, Options options) {
    List<BenchmarkResult> forks = new ArrayList<>();
    String failure = "its JVM ended without a result";
    try {
      Collection<RunResult> run = new Runner(options).run();
      run.forEach(result -> forks.addAll(result.getBenchmarkResults()));
    } catch (RunnerException e) {
      failure = String.valueOf(e.getMessage());
    }
    if (forks.isEmpty()) {
      tellFailure(cell, failure.lines().findFirst().orElse(""));
    }
    return forks;
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

  static void tellPlace(int round, int cell) {
    tell("at %d %d".formatted(round, cell));
  }

  private static void tellFailure(int cell, String reason) {
    tell("failed %d %s".formatted(cell, reason));
  }

  private static void tell(String what) {
    System.out.println(TELLS + what);
    System.out.flush();
  }
}
