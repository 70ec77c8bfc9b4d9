package dev.arenal.lab;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.arenal.lab.process.Causes;
import dev.arenal.lab.report.ReportFolder;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.report.WholeFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code arenal lab}: all experiments, from nothing to a report. */
@Command(
    name = "lab",
    description = {
      "Runs all experiments and writes a report. Takes five to twenty minutes on two cores.",
      "",
      "  replay     metaspace of a recorded JVM: memory that each allocator keeps",
      "  jvm        the JVMs of this machine: metaspace that stays when classes go",
      "  confined   the cost of an arena for one call, pooled and not",
      "  medium     medium pages, refilled by one thread and by all",
      "  buffers    one buffer at a time, allocated, touched and freed",
      "  churn      resident size while buffers replace each other for a long time",
      "  burst      resident size after buffers were freed at once",
      "  pretouch   time of a start that makes its memory resident",
      "  first-use  time of the first use of the library in a new JVM",
      "  proxy      a Netty proxy with slow clients: resident size and throughput",
      "",
      "Arenal is compared with malloc, jemalloc and mimalloc (where installed), Netty, the JDK's"
          + " arenas and HotSpot itself. Each experiment is also a command of its own, with more"
          + " options.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {"  arenal lab", "  arenal lab --quick --out /tmp/report"})
final class LabCommand implements Callable<Integer> {
  private static final List<ExperimentCommand<?>> EXPERIMENTS =
      List.of(
          new ReplayCommand(),
          new JvmCommand(),
          new ConfinedCommand(),
          new MediumCommand(),
          new BuffersCommand(),
          new ChurnCommand(),
          new BurstCommand(),
          new PretouchCommand(),
          new FirstUseCommand(),
          new ProxyCommand());

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--quick",
      description = "Less exact figures, in two to four minutes with the build.")
  private boolean isQuick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for report.html and the JSON files (${DEFAULT-VALUE}).")
  private Path out = Path.of("arenal-report");

  @Option(
      names = "--json",
      description = "Prints the results as JSON; the tables go to standard error.")
  private boolean isJson;

  @Override
  public Integer call() throws IOException, InterruptedException {
    WholeFile.checkFolder(out);
    PrintWriter text = isJson ? spec.commandLine().getErr() : spec.commandLine().getOut();
    List<Section> sections = new ArrayList<>();
    try (Progress progress = Progress.onStandardError()) {
      for (ExperimentCommand<?> experiment : EXPERIMENTS) {
        int number = sections.size() + 1;
        String heading = "%d of %d, %s: ".formatted(number, EXPERIMENTS.size(), experiment.name());
        text.println((number == 1 ? "" : "\n") + heading + experiment.question());
        text.println();
        text.flush();
        sections.add(measured(experiment, progress, text));
      }
    }
    // Before the files: what has been measured is not lost if they cannot be written.
    sections.forEach(section -> section.findings().forEach(text::println));
    text.println();
    text.flush();
    try {
      if (isJson) {
        JsonOutput.print(spec.commandLine().getOut(), ReportFolder.results(sections));
      }
    } finally { // a pipe that was closed does not take the report along
      ReportFolder.write(out, sections);
      text.println("report: " + out.resolve("report.html"));
      text.flush();
    }
    boolean isWhole = sections.stream().allMatch(section -> section.failures().isEmpty());
    return isWhole ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** An experiment that this machine cannot do does not end the others. */
  private Section measured(ExperimentCommand<?> experiment, Progress progress, PrintWriter text)
      throws InterruptedException {
    try {
      return experiment.inLab(isQuick, progress, text);
    } catch (IOException | IllegalArgumentException e) {
      progress.clear();
      String failure = experiment.name() + " was not measured: " + Causes.of(e);
      text.println(failure);
      text.flush();
      return new Section(
          experiment.name(),
          experiment.question(),
          "",
          experiment.name().equals(Section.REPLAY)
              ? JsonNodeFactory.instance.arrayNode()
              : JsonNodeFactory.instance.objectNode().put("failure", failure),
          List.of(),
          List.of(),
          List.of(failure));
    }
  }
}
