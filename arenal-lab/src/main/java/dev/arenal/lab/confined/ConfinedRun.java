package dev.arenal.lab.confined;

import dev.arenal.lab.jvm.EndHook;
import dev.arenal.lab.jvm.LauncherProperties;
import dev.arenal.lab.jvm.ProcessTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of a plan: the program with JMH is started, listened to, and its results are read.
 *
 * <p>What it says of itself begins with {@code @arenal}; the rest is JMH's, of which the end is
 * shown if something fails.
 */
public final class ConfinedRun {
  private static final String PREFIX = "@arenal ";
  private static final String STACK_FRAME = "\tat ";
  private static final int COUNT_LINES_SHOWN = 12;

  /** Told what is being done, for a person who waits. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * A cell is begun.
     *
     * @param step where in the plan, such as 3 of 72
     * @param seconds since the start
     */
    void at(String cell, String step, long seconds);
  }

  private final ConfinedPlan plan;
  private final Watcher watcher;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Set<ConfinedCell> failed = new LinkedHashSet<>();
  private final List<String> failures = new ArrayList<>();
  private boolean isDone;
  private @Nullable Process process;
  private boolean isEnded;

  private ConfinedRun(ConfinedPlan plan, Watcher watcher) {
    this.plan = plan;
    this.watcher = watcher;
  }

  /**
   * Runs the plan to its end.
   *
   * @param program as {@link ConfinedProgram#words} gives it
   */
  public static ConfinedMeasurement run(ConfinedPlan plan, List<String> program, Watcher watcher)
      throws IOException, InterruptedException {
    return new ConfinedRun(plan, watcher).run(program);
  }

  private ConfinedMeasurement run(List<String> program) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("arenal-confined");
    Path planFile = folder.resolve("plan");
    Path resultFile = folder.resolve("results.json");
    try {
      Files.write(planFile, plan.lines());
      int exitCode = await(command(program, planFile, resultFile));
      if (exitCode != 0 || !isDone || !Files.exists(resultFile)) {
        failures.add("the benchmarks died: exitCode=%d%s".formatted(exitCode, tail()));
        return new ConfinedMeasurement(List.of(), failures);
      }
      List<ConfinedResult> results = JmhResults.read(resultFile, plan.cells());
      addMissing(results);
      return new ConfinedMeasurement(results, failures);
    } finally {
      Files.deleteIfExists(planFile);
      Files.deleteIfExists(resultFile);
      Files.deleteIfExists(folder);
    }
  }

  private static ProcessBuilder command(List<String> program, Path planFile, Path resultFile) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Of JMH itself, which starts the JVMs that are measured.
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.addAll(program);
    command.add(planFile.toString());
    command.add(resultFile.toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    LauncherProperties.withoutOptionVariables(builder);
    return builder;
  }

  private int await(ProcessBuilder builder) throws IOException, InterruptedException {
    long start = System.nanoTime();
    // The hook first: whoever stops the lab while the program starts takes it along too.
    try (EndHook _ = EndHook.of(this::end)) {
      Process started = start(builder);
      started.getOutputStream().close();
      read(started, start);
      return started.waitFor();
    } finally {
      end();
    }
  }

  private synchronized Process start(ProcessBuilder builder)
      throws IOException, InterruptedException {
    if (isEnded) {
      throw new InterruptedException("the lab is being stopped");
    }
    Process started = builder.start();
    process = started;
    return started;
  }

  private synchronized void end() {
    isEnded = true;
    if (process != null) {
      ProcessTree.kill(process);
    }
  }

  private void read(Process process, long start) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        if (!line.startsWith(PREFIX) || !isEvent(line.substring(PREFIX.length()), seconds)) {
          other(line);
        }
      }
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
    ConfinedCell cell = plan.cells().get(index);
    lastLines.clear();
    watcher.at(
        "%s %d %s".formatted(cell.shape().label(), cell.sizeBytes(), cell.factory().label()),
        "%d of %d, round %d of %d"
            .formatted(index + 1, plan.cells().size(), round + 1, plan.countRounds()),
        seconds);
  }

  /** One that fails does so in each round: once is enough. */
  private void failed(int index, String reason) {
    ConfinedCell cell = plan.cells().get(index);
    if (failed.add(cell)) {
      failures.add("fork failed: %s, reason=%s%s".formatted(cell.describe(), reason, tail()));
    }
  }

  private void other(String line) {
    // Where in JMH it was says nothing; the exception itself stands above.
    if (line.isBlank() || line.startsWith(STACK_FRAME)) {
      return;
    }
    lastLines.addLast(line);
    if (lastLines.size() > COUNT_LINES_SHOWN) {
      lastLines.removeFirst();
    }
  }

  /** A cell that neither failed nor has a result would be missing without a word. */
  private void addMissing(List<ConfinedResult> results) {
    Set<ConfinedCell> missing = new LinkedHashSet<>(plan.cells());
    results.forEach(result -> missing.remove(result.cell()));
    missing.removeAll(failed);
    for (ConfinedCell cell : missing) {
      failures.add("no result: " + cell.describe() + " (expected one of JMH)");
    }
  }

  private String tail() {
    return lastLines.isEmpty()
        ? " (it printed nothing)"
        : "; its last lines:\n    " + String.join("\n    ", lastLines);
  }
}
