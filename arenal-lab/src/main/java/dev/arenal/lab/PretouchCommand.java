package dev.arenal.lab;

import dev.arenal.lab.jvm.JvmSelection;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arenal pretouch}: what it costs to have memory at the start. */
@Command(
    name = "pretouch",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Shows how much longer a start takes when it makes sure of its memory.",
    description = {
      "",
      "A heap with -Xms equal to -Xmx is reserved at the start, and not there. With"
          + " -XX:+AlwaysPreTouch the JVM touches every page of it, and starts later. How much"
          + " later, for each size and collector, with and without transparent huge pages? And"
          + " how long does Arenal take for as much memory outside the heap, by a loop, by"
          + " MADV_POPULATE_WRITE and with huge pages; and how long the kernel alone, in a small"
          + " program in C (if there is a compiler)?",
      "",
      "Each run is a process of its own, and all take turns. Right before each one another process"
          + " touches as much memory and ends, so that a virtual machine has it at hand. At the"
          + " end Arenal is asked for twice the memory there is, and has to refuse.",
      "",
      "Sizes that do not fit into the available memory are left out, with a line that says so. The"
          + " usual two sizes take some ten minutes, --quick two.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal pretouch",
      "  arenal pretouch --quick --sizes 1g",
      "  arenal pretouch --sizes 4g,16g --jvm /opt/jdk-21 /opt/jdk-25 --out report/",
      "  arenal pretouch --sizes 1g --runs 1 --json - | jq '.results[] | [.method, .wallSeconds]'",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:everything was measured, whether claims are reached or not",
      "  1:something failed: see the message",
      "  2:the command line is wrong"
    })
final class PretouchCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--quick",
      description = "Three runs of what claims are about, and one of the rest.")
  private boolean isQuick;

  @Option(
      names = "--sizes",
      paramLabel = "BYTES",
      split = ",",
      converter = ByteSize.class,
      description = "Sizes of the heap and of the memory (1g,4g).")
  private List<Long> sizesBytes = new ArrayList<>();

  @Option(
      names = "--jvm",
      paramLabel = "'PATH FLAGS'",
      arity = "1..*",
      description =
          "The home of a JDK or its java command, Java 11 or later, and flags for it; several are"
              + " compared. Without it: the one that runs this command.")
  private List<String> jvms = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "What all threads are, for Arenal and the kernel (${DEFAULT-VALUE}).")
  private int countThreads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "How often each is run (" + PretouchPlan.USUAL_RUNS + ").")
  private @Nullable Integer countRuns;

  @Mixin private SectionOutput output = new SectionOutput();

  @Override
  public Integer call() throws IOException, InterruptedException {
    // Before JVMs are asked who they are.
    var _ = plan(List.of());
    output.check();
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      progress.at("pretouch", "looking for JVMs", 0);
      List<JvmSpec> specs =
          jvms.isEmpty() ? PretouchExperiment.runningJvm() : JvmSelection.given(jvms);
      progress.clear();
      section = PretouchExperiment.run(plan(specs), progress, output.text());
    }
    return output.write(section);
  }

  private PretouchPlan plan(List<JvmSpec> specs) {
    int usualRuns = isQuick ? PretouchPlan.QUICK_RUNS : PretouchPlan.USUAL_RUNS;
    int runs = countRuns == null ? usualRuns : countRuns;
    try {
      return new PretouchPlan(
          sizesBytes.isEmpty() ? PretouchPlan.USUAL_SIZES : sizesBytes,
          specs,
          countThreads,
          runs,
          isQuick ? Math.min(1, runs) : runs);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
