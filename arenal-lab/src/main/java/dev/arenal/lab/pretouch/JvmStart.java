package dev.arenal.lab.pretouch;

import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One JVM from its start to its end. When the program has said its two lines it waits, and is
 * looked at from outside: so what is measured is the start, and nothing that the program does.
 */
final class JvmStart {
  /** A JVM with a terabyte to touch takes minutes; one that hangs is ended. */
  private static final long MOST_SECONDS = 1800;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final Pattern FREE = Pattern.compile("Free physical memory: (\\d+)");
  private static final Pattern HEAP = Pattern.compile("Heap size: (\\d+)");

  private final Process process;
  private final long startNanos;
  private final List<String> otherLines = new ArrayList<>();

  private JvmStart(Process process, long startNanos) {
    this.process = process;
    this.startNanos = startNanos;
  }

  /**
   * The figures of a run.
   *
   * @param said lines of the JVM itself, such as warnings
   */
  record Outcome(PretouchSample sample, List<String> said) {}

  /** The command for a heap of this size that is no larger at first than at last. */
  static List<String> command(
      JvmSpec jvm, PretouchSubject subject, long heapBytes, List<String> program) {
    List<String> command = new ArrayList<>();
    command.add(jvm.launcher().toString());
    if (subject.collector() != null) {
      command.addAll(subject.collector().flags(jvm.feature()));
    }
    command.add("-Xms" + heapBytes);
    command.add("-Xmx" + heapBytes);
    command.add(subject.pretouch() ? "-XX:+AlwaysPreTouch" : "-XX:-AlwaysPreTouch");
    if (subject.hugePages()) {
      command.add("-XX:+UseTransparentHugePages");
    }
    command.addAll(jvm.flags());
    command.addAll(program);
    return command;
  }

  /**
   * Runs it.
   *
   * @param what the subject, in {@code name=value} pairs, for the error
   */
  static Outcome run(String what, List<String> command)
      throws IOException, InterruptedException, ChildFailedException {
    long startNanos = System.nanoTime();
    try (Program jvm = Program.start(Program.java(command))) {
      var _ =
          jvm.process()
              .onExit()
              .orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
              .whenComplete((_, late) -> {
                if (late != null) {
                  jvm.end();
                }
              });
      return new JvmStart(jvm.process(), startNanos).run(what, jvm);
    }
  }

  private Outcome run(String what, Program jvm)
      throws IOException, InterruptedException, ChildFailedException {
    try (BufferedReader lines = jvm.lines()) {
      long freeBytes = next(lines, FREE, what);
      long heapBytes = next(lines, HEAP, what);
      double wallSeconds = secondsSince(startNanos);
      ProcessFigures figures = ProcessFigures.of(process.pid());
      long endNanos = System.nanoTime();
      process.getOutputStream().close();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        otherLines.add(line); // a full pipe would hold up its end
      }
      if (process.waitFor() != 0) {
        throw failed(what);
      }
      Heap heap = new Heap(freeBytes, heapBytes, wallSeconds + secondsSince(endNanos));
      PretouchSample sample =
          new PretouchSample(
              wallSeconds,
              figures.userSeconds(),
              figures.systemSeconds(),
              figures.residentBytes(),
              figures.hugeBytes(),
              null,
              heap);
      return new Outcome(sample, List.copyOf(otherLines));
    }
  }

  private long next(BufferedReader lines, Pattern pattern, String what)
      throws IOException, InterruptedException, ChildFailedException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.matches()) {
        return Long.parseLong(matcher.group(1));
      }
      otherLines.add(line);
    }
    throw failed(what);
  }

  private ChildFailedException failed(String what) throws InterruptedException {
    Program.End end = new Program.End(process.waitFor(), false, otherLines);
    return new ChildFailedException(
        "JVM did not start: %s, exitCode=%d%s".formatted(what, end.exitCode(), end.lastLines()));
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / NANOS_PER_SECOND;
  }
}
