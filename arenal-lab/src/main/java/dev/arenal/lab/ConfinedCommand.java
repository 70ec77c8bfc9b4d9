package dev.arenal.lab;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.ConfinedPlan;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.jmh.JmhRun;
import dev.arenal.lab.report.ConfinedSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal confined}: what confined arenas cost, by JMH. */
@Command(
    name = "confined",
    header = "Measures the cost of a confined arena: the JDK's, the pooled one, and alternatives.",
    description = {
      "",
      "An arena is opened, allocates memory that is written and read, and is closed: by size; with"
          + " none, one, three and four allocations; nested; escaping; with strings; with a native"
          + " call; on platform threads and on virtual ones. Arena.ofConfined() and"
          + " PooledArena.ofConfined() are compared with calloc and free by downcalls, slices of a"
          + " per-thread segment without any safety, LWJGL's MemoryStack, and a control without an"
          + " allocation.",
      "",
      "JMH measures in many short forks, in which the factories take turns. Times are medians of"
          + " its iterations; ± is half of the 99 %% confidence interval of the median. Nothing"
          + " else should run on the machine meanwhile.",
      ""
    },
    footer = {
      "  arenal confined --quick              the JDK and the pool, under two minutes",
      "  arenal confined                      all factories, some eight minutes",
      "  arenal confined --thorough --out r/  every size up to 64, some twenty minutes",
      "  arenal confined --quick --json -",
    })
final class ConfinedCommand extends JmhCommand<ConfinedCell> {
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
    super("the cost of an arena for one call");
  }

  @Override
  JmhPlan<ConfinedCell> lab(boolean isBrief) {
    return ConfinedPlan.lab(isBrief);
  }

  @Override
  ProcessBuilder program() throws IOException {
    return JmhRun.program(Map.of());
  }

  @Override
  Section section(JmhMeasurement<ConfinedCell> measurement, List<String> notes) {
    return ConfinedSection.of(measurement);
  }

  @Override
  Section without(String reason) {
    return ConfinedSection.without(reason);
  }

  @Override
  JmhPlan<ConfinedCell> plan() {
    if (length.isQuick) {
      return ConfinedPlan.quick();
    }
    return length.isThorough ? ConfinedPlan.thorough() : ConfinedPlan.usual();
  }
}
