package dev.arenal.lab;

import dev.arenal.lab.confined.ConfinedPlan;
import dev.arenal.lab.confined.ConfinedProgram;
import dev.arenal.lab.confined.ConfinedRun;
import dev.arenal.lab.report.ConfinedSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal confined}: what confined arenas cost, by JMH. */
@Command(
    name = "confined",
    header =
        "Measures what a confined arena costs: the JDK's, the pooled one, and what people use.",
    description = {
      "",
      "An arena is opened, gives out memory that is written and read, and is closed; by size, with"
          + " one, three and four allocations, none at all, nested, escaping, with strings and with"
          + " a native call; on platform and on virtual threads. Beside Arena.ofConfined() and"
          + " PooledArena.ofConfined(): calloc and free by downcalls, slices of a segment of the"
          + " thread without any safety, LWJGL's MemoryStack, and a control that allocates"
          + " nothing.",
      "",
      "JMH measures, in many short forks in which the contenders take turns. Times are medians of"
          + " its iterations; ± is half of its 99.9 %% confidence interval. Nothing else should run"
          + " on the machine meanwhile.",
      ""
    },
    footer = {
      "  arenal confined --quick              the JDK and the pool, in less than two minutes",
      "  arenal confined                      all factories, some eight minutes",
      "  arenal confined --thorough --out r/  every size up to 64, some twenty minutes",
      "  arenal confined --quick --json -",
    })
final class ConfinedCommand extends ExperimentCommand<ConfinedPlan> {
  private static final int SECONDS_PER_MINUTE = 60;

  @ArgGroup private Length length = new Length();

  /** How much is measured. */
  private static final class Length {
    @Option(
        names = "--quick",
        description = "Only the JDK and the pool: less than two minutes on two cores.")
    private boolean isQuick;

    @Option(
        names = "--thorough",
        description = "Every size from 0 to 64 and more shapes, as for docs/benchmarks.")
    private boolean isThorough;
  }

  ConfinedCommand() {
    super("what an arena for one call costs");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<String> program;
    try {
      program = ConfinedProgram.words();
    } catch (IOException e) {
      return ConfinedSection.without(String.valueOf(e.getMessage()));
    }
    return measure(ConfinedPlan.lab(isBrief), program, progress, text);
  }

  @Override
  Section measure(ConfinedPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<String> program = ConfinedProgram.words();
    say(duration(plan));
    return measure(plan, program, progress, text);
  }

  /** The same with that program. */
  static Section measure(
      ConfinedPlan plan, List<String> program, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    return shown(ConfinedSection.of(ConfinedRun.run(plan, program, progress)), progress, text);
  }

  @Override
  ConfinedPlan plan() {
    if (length.isQuick) {
      return ConfinedPlan.quick();
    }
    return length.isThorough ? ConfinedPlan.thorough() : ConfinedPlan.usual();
  }

  private static String duration(ConfinedPlan plan) {
    int seconds = plan.estimatedSeconds();
    String time =
        seconds < 2 * SECONDS_PER_MINUTE
            ? seconds + " seconds"
            : Math.ceilDiv(seconds, SECONDS_PER_MINUTE) + " minutes";
    return "confined: %d benchmarks, %d forks each, some %s"
        .formatted(plan.countCells(), plan.countRounds(), time);
  }
}
