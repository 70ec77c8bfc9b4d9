package dev.arenal.lab;

import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * An experiment: a command of its own, which does what its options ask for, and a part of {@code
 * arenal lab}, which does less. A new one joins the lists in {@link Main} and in {@link
 * LabCommand}.
 *
 * @param <P> what is to be measured
 */
@Command(
    exitCodeList = {
      "  0:everything was measured, whether the claims hold or not",
      "  1:something failed: see the message",
      "  2:the command line is wrong"
    })
abstract class ExperimentCommand<P> extends ArenalCommand {
  private static final double MILLIS_PER_SECOND = 1e3;

  private final String question;
  @Mixin private SectionOutput output = new SectionOutput();

  /**
   * For a subclass.
   *
   * @param question its question, in a line for readers that see it for the first time
   */
  ExperimentCommand(String question) {
    this.question = question;
  }

  /** Its name in progress and errors. */
  final String name() {
    return getClass().getAnnotation(Command.class).name();
  }

  final String question() {
    return question;
  }

  /**
   * The plan that the options ask for.
   *
   * @throws IllegalArgumentException if they cannot be meant
   * @throws IOException if this machine has not what they name
   */
  abstract P plan() throws IOException;

  /**
   * Measures, prints its tables while it goes, and returns what it has to show.
   *
   * @param text where tables go
   */
  abstract Section measure(P plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException;

  /**
   * The same in the lab.
   *
   * @param isBrief whether a rough figure soon is better than a good one later
   */
  abstract Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    P plan = planned(this::plan);
    output.check();
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section = measure(plan, progress, output.text());
    }
    return output.write(section);
  }

  /**
   * A time that an option asks for, or the usual one.
   *
   * @param mostSeconds the longest that can be meant
   */
  static Duration duration(@Nullable Double seconds, Duration usual, double mostSeconds) {
    if (seconds == null) {
      return usual;
    }
    if (!(seconds >= 0 && seconds <= mostSeconds)) {
      throw new IllegalArgumentException(
          "time is out of range: seconds=%s (expected 0 to %.0f)".formatted(seconds, mostSeconds));
    }
    return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
  }

  /** Prints the tables of a section, and what has failed. */
  static Section shown(Section section, Progress progress, PrintWriter text) {
    progress.clear();
    section.lines().forEach(text::println);
    section.failures().forEach(text::println);
    text.flush();
    return section;
  }
}
