package dev.arenal.lab;

import dev.arenal.lab.jvm.JvmSelection;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.jvm.StockJvm;
import dev.arenal.lab.jvm.WorkloadShape;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arenal jvm}: what the metaspace of real JVMs takes, keeps and gives back. */
@Command(
    name = "jvm",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Shows what the metaspace of real JVMs keeps when classes go.",
    description = {
      "",
      "Each JVM loads generations of classes, interleaved between their loaders, and releases one"
          + " generation after the other. Shown are metaspace used and committed and the resident"
          + " size of the process, at each phase and ten times a second, and what the JVM itself"
          + " says of the memory it keeps when one generation is left.",
      "",
      "Without --jvm: the JVMs of this machine, Java 11 and later, the newest of each version. The"
          + " heap has a fixed size and is touched at the start.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal jvm",
      "  arenal jvm --stock --out report/",
      "  arenal jvm --interleave class",
      "  arenal jvm --loaders 8000 --classes 1 --cycles 1",
      "  arenal jvm --jvm /opt/jdk-17 \\",
      "      --jvm '/opt/jdk-17 -XX:MetaspaceReclaimPolicy=aggressive'",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:all JVMs came to their end",
      "  1:one did not, or nothing could be run: see the message",
      "  2:the command line is wrong"
    })
final class JvmCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--jvm",
      paramLabel = "'PATH FLAGS'",
      description =
          "The home of a JDK or its java command, and flags for it; as often as there are curves to"
              + " see.")
  private List<String> jvms = new ArrayList<>();

  @Option(
      names = "--stock",
      description = {
        "Adds a JVM from before JEP 387: a Java 11, fetched once with pip into the user's cache"
            + " (the package "
            + StockJvm.PACKAGE
            + ")."
      })
  private boolean isWithStock;

  @Option(
      names = "--generations",
      paramLabel = "N",
      description = "Generations of loaders, released one by one (${DEFAULT-VALUE}).")
  private int countGenerations = WorkloadShape.DEFAULT.countGenerations();

  @Option(
      names = "--loaders",
      paramLabel = "N",
      description = "Class loaders per generation (${DEFAULT-VALUE}).")
  private int countLoaders = WorkloadShape.DEFAULT.countLoaders();

  @Option(
      names = "--classes",
      paramLabel = "N",
      description = "Classes per loader (${DEFAULT-VALUE}).")
  private int countClasses = WorkloadShape.DEFAULT.countClasses();

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Fields and methods per class: 3 and 4 times N (${DEFAULT-VALUE}).")
  private int size = WorkloadShape.DEFAULT.size();

  @Option(
      names = "--interleave",
      paramLabel = "HOW",
      description =
          "What a loader loads per turn: loader (all), class (one), or a fraction of its classes"
              + " (${DEFAULT-VALUE}).")
  private String interleave = WorkloadShape.DEFAULT.interleave();

  @Option(
      names = "--cycles",
      paramLabel = "N",
      description = "How often the whole set is loaded (${DEFAULT-VALUE}).")
  private int countCycles = WorkloadShape.DEFAULT.countCycles();

  @Option(
      names = "--pause",
      paramLabel = "MILLIS",
      description = "The rest after each phase (${DEFAULT-VALUE}).")
  private int pauseMillis = WorkloadShape.DEFAULT.pauseMillis();

  @Mixin private SectionOutput output = new SectionOutput();

  @Override
  public Integer call() throws IOException, InterruptedException {
    WorkloadShape shape = shape();
    output.check();
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      List<JvmSpec> specs = specs(progress);
      section = JvmExperiment.run(specs, shape, progress, output.text());
    }
    return output.write(section);
  }

  private List<JvmSpec> specs(Progress progress) throws IOException, InterruptedException {
    progress.at("jvm", "looking for JVMs", 0);
    List<JvmSpec> specs = jvms.isEmpty() ? JvmSelection.found() : JvmSelection.given(jvms);
    progress.clear();
    if (isWithStock) {
      return JvmSelection.withStock(StockJvm.ofThisUser().fetch(this::say), specs);
    }
    if (jvms.isEmpty()) {
      return JvmExperiment.withCachedStock(specs, this::say);
    }
    return specs;
  }

  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }

  private WorkloadShape shape() {
    try {
      return new WorkloadShape(
          countGenerations, countLoaders, countClasses, size, interleave, countCycles, pauseMillis);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
