package dev.arenal.lab;

import dev.arenal.lab.confined.ConfinedPlan;
import dev.arenal.lab.confined.ConfinedProgram;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code arenal confined}: what confined arenas cost, by JMH. */
@Command(
    name = "confined",
    mixinStandardHelpOptions = true,
    sortOptions = false,
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
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal confined --quick              the JDK and the pool, in less than two minutes",
      "  arenal confined                      all factories, some eight minutes",
      "  arenal confined --thorough --out r/  every size up to 64, some twenty minutes",
      "  arenal confined --quick --json -",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:everything was measured, whether claims are reached or not",
      "  1:something failed: see the message",
      "  2:the command line is wrong"
    })
final class ConfinedCommand implements Callable<Integer> {
  private static final int SECONDS_PER_MINUTE = 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  @ArgGroup private Length length = new Length();

  @Mixin private SectionOutput output = new SectionOutput();

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

  @Override
  public Integer call() throws IOException, InterruptedException {
    output.check();
    List<String> program = ConfinedProgram.words();
    ConfinedPlan plan = plan();
    say(duration(plan));
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section = ConfinedExperiment.run(plan, program, progress, output.text());
    }
    return output.write(section);
  }

  private ConfinedPlan plan() {
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

  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
