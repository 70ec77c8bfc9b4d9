package dev.arenal.lab;

import dev.arenal.lab.jvm.JvmSelection;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.pretouch.PretouchRun;
import dev.arenal.lab.report.PretouchSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal pretouch}: what it costs to have memory at the start. */
@Command(
    name = "pretouch",
    header = "Shows how much longer a start takes when it makes its memory resident.",
    description = {
      "",
      "A heap with -Xms equal to -Xmx is committed at the start, but not resident. With"
          + " -XX:+AlwaysPreTouch the JVM touches every page of it, and starts later. The"
          + " command measures how much later, for each size and collector, with and without"
          + " transparent huge pages; how long Arenal takes for the same memory outside the"
          + " heap, by a loop, by MADV_POPULATE_WRITE and with huge pages; and how long the"
          + " kernel alone takes, in a small C program (if there is a compiler).",
      "",
      "Each run is a separate process, and all take turns. Immediately before each run another"
          + " process touches as much memory and ends, so that a virtual machine has it"
          + " available. At the end Arenal is asked for twice the available memory, and has to"
          + " refuse.",
      "",
      "Sizes that do not fit into the available memory are left out, with a line that says so."
          + " The default sizes take some ten minutes, --quick two.",
      ""
    },
    footer = {
      "  arenal pretouch",
      "  arenal pretouch --quick --sizes 1g",
      "  arenal pretouch --sizes 4g,16g --jvm /opt/jdk-21 /opt/jdk-25 --out report/",
      "  arenal pretouch --sizes 1g --runs 1 --json - \\",
      "      | jq '.results[] | [.method, .wallSeconds]'",
    })
final class PretouchCommand extends ExperimentCommand<PretouchPlan> {
  @Option(
      names = "--quick",
      description =
          "Three runs of each subject of a claim (nine with huge pages), and one of each other"
              + " subject.")
  private boolean isQuick;

  @Option(
      names = "--claims-only",
      description =
          "Leaves out the subjects that no claim is about, such as other collectors than G1, and"
              + " takes about half the time.")
  private boolean isClaimsOnly;

  @Option(
      names = "--sizes",
      paramLabel = "BYTES",
      split = ",",
      converter = ByteSize.class,
      description = "Sizes of the heap and of the memory (1g,4g).")
  private List<Long> sizesBytes = PretouchPlan.USUAL_SIZES;

  @Option(
      names = "--jvm",
      paramLabel = "'PATH FLAGS'",
      arity = "1..*",
      description =
          "The home of a JDK or its java command, Java 11 or later, and flags for it; several are"
              + " compared. By default the JVM that runs this command.")
  private List<String> jvms = new ArrayList<>();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "The number that \"all threads\" means, for Arenal and the kernel (${DEFAULT-VALUE}).")
  private int threadCount = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Runs of each subject ("
              + PretouchPlan.USUAL_RUNS
              + "); three times as many with huge pages where a claim is about them.")
  private @Nullable Integer runCount;

  PretouchCommand() {
    super("the time of a start that makes its memory resident");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    return measured(PretouchPlan.lab(isBrief, runningJvm()), progress, text);
  }

  @Override
  Section measure(PretouchPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<JvmSpec> specs =
        JvmCommand.looked(progress, () -> jvms.isEmpty() ? runningJvm() : JvmSelection.given(jvms));
    return measured(plan.with(specs), progress, text);
  }

  private static Section measured(PretouchPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    PretouchMeasurement measurement = PretouchRun.run(plan, progress);
    progress.clear();
    measurement.notes().forEach(text::println);
    return shown(PretouchSection.of(measurement), progress, text);
  }

  /** The JVM that runs this program: on every machine there is that one. */
  private static List<JvmSpec> runningJvm() throws IOException {
    return JvmSelection.given(List.of(System.getProperty("java.home")));
  }

  /** Without JVMs, which are asked for their version when the rest is known to be right. */
  @Override
  PretouchPlan plan() {
    int usualRuns = isQuick ? PretouchPlan.QUICK_RUNS : PretouchPlan.USUAL_RUNS;
    int runs = runCount == null ? usualRuns : runCount;
    int otherRuns = isQuick ? Math.min(1, runs) : runs;
    return new PretouchPlan(sizesBytes, List.of(), threadCount, runs, isClaimsOnly ? 0 : otherRuns);
  }
}
