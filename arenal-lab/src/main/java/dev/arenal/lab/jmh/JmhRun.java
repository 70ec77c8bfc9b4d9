package dev.arenal.lab.jmh;

import dev.arenal.lab.process.LastLines;
import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.process.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One run of a plan: the program with JMH is started, listened to, and its results are read.
 *
 * <p>What it says of itself begins with {@code @arenal}; the rest is JMH's, of which the end is
 * shown if something fails.
 *
 * @param <C> what is measured
 */
public final class JmhRun<C extends JmhCell> {
  private static final String PREFIX = "@arenal ";
  private static final String STACK_FRAME = "\tat ";

  private final String name;
  private final JmhPlan<C> plan;
  private final Watcher watcher;
  private final LastLines lastLines = new LastLines();
  private final Set<C> failed = new LinkedHashSet<>();
  private final List<String> failures = new ArrayList<>();
  private volatile boolean isDone;

  private JmhRun(String name, JmhPlan<C> plan, Watcher watcher) {
    this.name = name;
    this.plan = plan;
    this.watcher = watcher;
  }

  /**
   * The program with JMH and the benchmarks as it is built, which starts the JVMs that are
   * measured.
   *
   * @param variables it has beside our own: where libraries are
   * @throws IOException if it is missing
   */
  public static ProcessBuilder program(Map<String, String> variables) throws IOException {
    ProcessBuilder program =
        program(
            OurProgram.words(
                "dev.arenal.bench.rounds.Rounds", "confined/arenal-bench-confined.jar", true));
    program.environment().putAll(variables);
    return program;
  }

  /** One of these words for the java launcher, behind the options of the JVM. */
  static ProcessBuilder program(List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Of JMH itself.
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(words);
    return Program.java(command);
  }

  /**
   * Runs the plan to its end.
   *
   * @param name of the experiment, for progress
   * @param program gets the files of the plan and of the results as its last words
   */
  public static <C extends JmhCell> JmhMeasurement<C> run(
      String name, JmhPlan<C> plan, ProcessBuilder program, Watcher watcher)
      throws IOException, InterruptedException {
    return new JmhRun<>(name, plan, watcher).run(program);
  }

  private JmhMeasurement<C> run(ProcessBuilder program) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("arenal-" + name)) {
      Path planFile = folder.write("plan", path -> Files.write(path, plan.lines()));
      Path resultFile = folder.file("results.json");
      program.command().addAll(List.of(planFile.toString(), resultFile.toString()));
      int exitCode = await(program);
      if (exitCode != 0 || !isDone || !Files.exists(resultFile)) {
        failures.add("the benchmarks died: exitCode=%d%s".formatted(exitCode, lastLines.text()));
        return new JmhMeasurement<>(List.of(), failures);
      }
      List<JmhResult<C>> results = JmhResults.read(resultFile, plan.cells());
      addMissing(results);
      return new JmhMeasurement<>(results, failures);
    }
  }

  private int await(ProcessBuilder builder) throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (Program jmh = Program.start(builder)) {
      jmh.listen(line -> {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        if (!line.startsWith(PREFIX) || !isEvent(line.substring(PREFIX.length()), seconds)) {
          other(line);
        }
      });
      return jmh.await();
    }
  }

  private boolean isEvent(String event, long seconds) {
    String[] words = event.split(" ", 3);
    try {
      switch (words[0]) {
        case "at" -> at(Integer.parseInt(words[1]), Integer.parseInt(words[2]), seconds);
        case "failed" -> failed(Integer.parseInt(words[1]), words[2]);
        case "done" -> isDone = true;
        default -> {
          return false;
        }
      }
      return true;
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      // Half a line of a program that died while it wrote.
      return false;
    }
  }

  private void at(int round, int index, long seconds) {
    C cell = plan.cells().get(index);
    lastLines.clear();
    String step =
        "%d of %d, round %d of %d, %s"
            .formatted(index + 1, plan.cells().size(), round + 1, plan.roundCount(), cell.step());
    watcher.at(name, step, seconds);
  }

  /** One that fails does so in each round: once is enough. */
  private void failed(int index, String reason) {
    C cell = plan.cells().get(index);
    if (failed.add(cell)) {
      failures.add(
          "fork failed: %s, reason=%s%s".formatted(cell.describe(), reason, lastLines.text()));
    }
  }

  private void other(String line) {
    // Where in JMH it was says nothing; the exception itself stands above.
    if (line.isBlank() || line.startsWith(STACK_FRAME)) {
      return;
    }
    lastLines.add(line);
  }

  /** A cell that neither failed nor has a result would be missing without a word. */
  private void addMissing(List<JmhResult<C>> results) {
    Set<C> missing = new LinkedHashSet<>(plan.cells());
    results.forEach(result -> missing.remove(result.cell()));
    missing.removeAll(failed);
    for (C cell : missing) {
      failures.add("no result: " + cell.describe() + " (expected one of JMH)");
    }
  }
}
