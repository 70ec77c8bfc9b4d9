package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One JVM under the workload, from start to end.
 *
 * <p>Two sample it. The workload tells used and committed, which only the JVM knows. The resident
 * size is asked of the kernel from here, because a thread of the JVM would stand still with it in
 * every collection, just when memory goes back.
 */
final class JvmRun {
  private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int BYTES_PER_KB = 1024;

  private final JvmSpec spec;
  private final JvmFlags flags;
  private final Limits limits;
  private final RunRecord run = new RunRecord(System.nanoTime());

  /**
   * When a JVM counts as hanging.
   *
   * @param silentSeconds without a line, where ten a second are usual
   * @param phaseSeconds without a new phase
   */
  record Limits(long silentSeconds, long phaseSeconds) {
    static final Limits GENEROUS = new Limits(60, 900);
  }

  private JvmRun(JvmSpec spec, JvmFlags flags, Limits limits) {
    this.spec = spec;
    this.flags = flags;
    this.limits = limits;
  }

  /** Runs the workload to its end, or to the JVM's, which is then told in the measurement. */
  static JvmMeasurement run(
      JvmSpec spec, JvmFlags flags, List<String> program, Limits limits, Watcher watcher)
      throws InterruptedException {
    return new JvmRun(spec, flags, limits).run(program, watcher);
  }

  private JvmMeasurement run(List<String> program, Watcher watcher) throws InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(spec.launcher().toString());
    command.addAll(flags.words());
    command.addAll(program);
    try (Program jvm = Program.start(Program.java(command))) {
      jvm.listen(line -> run.line(line, System.nanoTime()));
      String hanging = watch(jvm, watcher);
      int exitCode = jvm.await();
      return run.measurement(spec, flags, hanging == null ? failure(exitCode) : hanging);
    } catch (IOException e) {
      return run.measurement(
          spec,
          flags,
          "JVM could not be started: jvm=%s, cause=%s".formatted(spec.label(), e.getMessage()));
    }
  }

  /** Samples until the process is gone; says what is wrong with one that had to be killed. */
  private @Nullable String watch(Program jvm, Watcher watcher) throws InterruptedException {
    long start = System.nanoTime();
    long next = start;
    while (true) {
      next += SAMPLE_NANOS;
      long waitNanos = Math.max(1, next - System.nanoTime());
      if (jvm.process().waitFor(waitNanos, TimeUnit.NANOSECONDS)) {
        return null;
      }
      long now = System.nanoTime();
      run.sample(now, residentBytes(run.pid()));
      watcher.at(spec.label(), run.step(), TimeUnit.NANOSECONDS.toSeconds(now - start));
      String hanging = hanging(now);
      if (hanging != null) {
        // Before the end: what a script says of being killed is not what it hung on.
        String message = hanging + run.tail();
        jvm.end();
        return message;
      }
    }
  }

  private @Nullable String hanging(long now) {
    String what;
    long seconds;
    if (now - run.nanosOfLastLine() > TimeUnit.SECONDS.toNanos(limits.silentSeconds())) {
      what = "silentSeconds";
      seconds = limits.silentSeconds();
    } else if (now - run.nanosOfLastPhase() > TimeUnit.SECONDS.toNanos(limits.phaseSeconds())) {
      what = "secondsInPhase";
      seconds = limits.phaseSeconds();
    } else {
      return null;
    }
    return "JVM hangs and was ended: jvm=%s, at=%s, %s=%d"
        .formatted(spec.label(), run.step(), what, seconds);
  }

  private @Nullable String failure(int exitCode) {
    if (exitCode == 0 && run.isEnded()) {
      return null;
    }
    return "JVM died: jvm=%s, at=%s, exitCode=%d%s"
        .formatted(spec.label(), run.step(), exitCode, run.tail());
  }

  /** The resident size of that process by the kernel's count, files included. */
  private static @Nullable Long residentBytes(long pid) {
    if (pid == 0) {
      return null;
    }
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * BYTES_PER_KB;
        }
      }
    } catch (IOException e) {
      // It has just ended, or this system has no such files.
      return null;
    }
    return null;
  }
}
