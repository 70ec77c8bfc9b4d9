package dev.arenal.lab.medium;

import dev.arenal.lab.jvm.EndHook;
import dev.arenal.lab.jvm.LauncherProperties;
import dev.arenal.lab.jvm.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The runs of a plan, one after the other, each in a process of its own. */
public final class MediumRunner {
  private static final int COUNT_LINES_SHOWN = 12;

  /** The JVM starts, warms up, and has to free everything in the end. */
  private static final long MOST_SECONDS_BESIDE = 60;

  /** The load's own objects are few. */
  private static final String HEAP_FLAG = "-Xmx256m";

  /** Told what is being done, for a person who waits. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * A run goes on.
     *
     * @param step which run, such as 2 of 4, synchronized
     * @param seconds since its start
     */
    void at(String step, long seconds);
  }

  private final MediumPlan plan;
  private final Class<?> main;
  private final Watcher watcher;
  private @Nullable Process process;
  private boolean isEnded;

  private MediumRunner(MediumPlan plan, Class<?> main, Watcher watcher) {
    this.plan = plan;
    this.main = main;
    this.watcher = watcher;
  }

  /** Runs a plan to its end. */
  public static MediumMeasurement run(MediumPlan plan, Watcher watcher)
      throws IOException, InterruptedException {
    return run(plan, MediumChild.class, watcher);
  }

  /** The same with another program, which may misbehave. */
  static MediumMeasurement run(MediumPlan plan, Class<?> main, Watcher watcher)
      throws IOException, InterruptedException {
    return new MediumRunner(plan, main, watcher).run();
  }

  private MediumMeasurement run() throws IOException, InterruptedException {
    List<MediumResult> results = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    // The hook first: whoever stops the lab while a run starts takes it along too.
    try (EndHook _ = EndHook.of(this::end)) {
      for (int i = 0; i < MediumPlan.ORDER.size(); i++) {
        boolean isSynchronized = MediumPlan.ORDER.get(i);
        String step =
            "run %d of %d, %s"
                .formatted(i + 1, MediumPlan.ORDER.size(), MediumResult.variant(isSynchronized));
        run(step, isSynchronized, results, failures);
      }
    } finally {
      end();
    }
    return new MediumMeasurement(plan, results, failures);
  }

  private void run(
      String step, boolean isSynchronized, List<MediumResult> results, List<String> failures)
      throws IOException, InterruptedException {
    watcher.at(step, 0);
    Path result = Files.createTempFile("arenal-medium", ".result");
    Path output = Files.createTempFile("arenal-medium", ".output");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command(isSynchronized, result))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      LauncherProperties.withoutOptionVariables(builder);
      int exitCode = await(start(builder), step);
      if (exitCode == 0 && Files.size(result) > 0) {
        results.add(ResultFile.read(result));
      } else {
        failures.add("%s died: exitCode=%d%s".formatted(step, exitCode, tail(output)));
      }
    } finally {
      Files.deleteIfExists(result);
      Files.deleteIfExists(output);
    }
  }

  private List<String> command(boolean isSynchronized, Path result) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // What is measured is not the collector of the Java heap.
    command.add("-XX:+UseSerialGC");
    command.add(HEAP_FLAG);
    command.add("-D" + MediumChild.SYNCHRONIZED_PROPERTY + "=" + isSynchronized);
    Module module = main.getModule();
    if (module.isNamed()) {
      command.add("--enable-native-access=dev.arenal," + module.getName());
      command.add("--module-path");
      command.add(System.getProperty("jdk.module.path"));
      command.add("--module");
      command.add(module.getName() + "/" + main.getName());
    } else {
      command.add("--enable-native-access=ALL-UNNAMED");
      command.add("--class-path");
      command.add(System.getProperty("java.class.path"));
      command.add(main.getName());
    }
    command.add(String.valueOf(plan.countThreads()));
    command.add(String.valueOf(plan.seconds()));
    command.add(String.valueOf(plan.capacityBytes()));
    command.add(result.toString());
    return command;
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

  private int await(Process started, String step) throws IOException, InterruptedException {
    started.getOutputStream().close();
    for (long seconds = 1; !started.waitFor(1, TimeUnit.SECONDS); seconds++) {
      watcher.at(step, seconds);
      if (seconds > plan.seconds() + MOST_SECONDS_BESIDE) {
        ProcessTree.kill(started);
      }
    }
    return started.exitValue();
  }

  private synchronized void end() {
    isEnded = true;
    if (process != null) {
      ProcessTree.kill(process);
    }
  }

  private static String tail(Path output) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(output), StandardCharsets.UTF_8).lines().toList();
    if (lines.isEmpty()) {
      return " (it printed nothing)";
    }
    List<String> last = lines.subList(Math.max(0, lines.size() - COUNT_LINES_SHOWN), lines.size());
    return "; its last lines:\n    " + String.join("\n    ", last);
  }
}
