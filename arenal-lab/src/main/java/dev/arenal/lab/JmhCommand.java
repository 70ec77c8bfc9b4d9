package dev.arenal.lab;

import dev.arenal.lab.jmh.JmhCell;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.jmh.JmhRun;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/**
 * An experiment that JMH measures, in a program of its own.
 *
 * @param <C> what is measured
 */
abstract class JmhCommand<C extends JmhCell> extends ExperimentCommand<JmhPlan<C>> {
  private static final int SECONDS_PER_MINUTE = 60;

  JmhCommand(String question) {
    super(question);
  }

  /**
   * The plan of the lab.
   *
   * @param isBrief whether a rough figure soon is better than a good one later
   */
  abstract JmhPlan<C> lab(boolean isBrief) throws IOException;

  /**
   * The program that measures.
   *
   * @throws IOException if it is missing
   */
  abstract ProcessBuilder program() throws IOException;

  /**
   * The result, as it is shown.
   *
   * @param notes of the plan
   */
  abstract Section section(JmhMeasurement<C> measurement, List<String> notes);

  /** A section that says why there is nothing to show. */
  abstract Section without(String reason);

  @Override
  final Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    JmhPlan<C> plan = lab(isBrief);
    ProcessBuilder program;
    try {
      program = program();
    } catch (IOException e) {
      return without(String.valueOf(e.getMessage()));
    }
    return measure(plan, program, progress, text);
  }

  @Override
  final Section measure(JmhPlan<C> plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    ProcessBuilder program = program();
    say(duration(plan));
    return measure(plan, program, progress, text);
  }

  /** The same with that program. */
  final Section measure(
      JmhPlan<C> plan, ProcessBuilder program, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    plan.notes().forEach(text::println);
    text.flush();
    JmhMeasurement<C> measurement = JmhRun.run(name(), plan, program, progress);
    return shown(section(measurement, plan.notes()), progress, text);
  }

  private String duration(JmhPlan<C> plan) {
    int seconds = plan.estimatedSeconds();
    String time =
        seconds < 2 * SECONDS_PER_MINUTE
            ? seconds + " seconds"
            : Math.ceilDiv(seconds, SECONDS_PER_MINUTE) + " minutes";
    int forkCount = plan.roundCount();
    return "%s: %d benchmarks, %d %s each, some %s"
        .formatted(name(), plan.cellCount(), forkCount, forkCount == 1 ? "fork" : "forks", time);
  }
}
