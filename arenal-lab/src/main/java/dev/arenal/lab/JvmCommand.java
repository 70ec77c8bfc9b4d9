package dev.arenal.lab;

import dev.arenal.lab.jvm.JvmLab;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmSelection;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.jvm.StockJvm;
import dev.arenal.lab.jvm.WorkloadShape;
import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.report.JvmSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal jvm}: what the metaspace of real JVMs takes, keeps and gives back. */
@Command(
    name = "jvm",
    header = "Shows how much metaspace real JVMs keep when classes are unloaded.",
    description = {
      "",
      "Each JVM loads generations of classes, interleaved between their loaders, and releases"
          + " one generation after the other. The output has used and committed metaspace and"
          + " the resident size of the process, at each phase and ten times a second, and the"
          + " JVM's own report of its metaspace when one generation is left.",
      "",
      "By default, the JVMs are those of this machine: Java 11 and later, the newest of each"
          + " version. The heap has a fixed size and is touched at the start.",
      ""
    },
    footer = {
      "  arenal jvm",
      "  arenal jvm --stock --out report/",
      "  arenal jvm --interleave class",
      "  arenal jvm --loaders 8000 --classes 1 --cycles 1",
      "  arenal jvm --jvm /opt/jdk-17 \\",
      "      --jvm '/opt/jdk-17 -XX:MetaspaceReclaimPolicy=aggressive'",
    },
    exitCodeList = {
      "  0:all JVMs ran to their end",
      "  1:a JVM did not, or none could be run: see the message",
      "  2:the command line is wrong"
    })
final class JvmCommand extends ExperimentCommand<WorkloadShape> {
  /** So that the lab ends soon on a machine with many JDKs: the stock one and the newest. */
  private static final int MOST_JVMS = 3;

  private static final int MOST_JVMS_QUICK = 2;

  @Option(
      names = "--jvm",
      paramLabel = "'PATH FLAGS'",
      description =
          "The home of a JDK or its java command, and flags for it. May be repeated: one curve"
              + " each.")
  private List<String> jvms = new ArrayList<>();

  @Option(
      names = "--stock",
      description = {
        "Adds a JVM from before JEP 387: a Java 11, downloaded once with pip into the user's cache"
            + " (the package "
            + StockJvm.PACKAGE
            + ")."
      })
  private boolean isWithStock;

  @Option(
      names = "--generations",
      paramLabel = "N",
      description = "Generations of loaders, released one by one (${DEFAULT-VALUE}).")
  private int generationCount = WorkloadShape.DEFAULT.generationCount();

  @Option(
      names = "--loaders",
      paramLabel = "N",
      description = "Class loaders per generation (${DEFAULT-VALUE}).")
  private int loaderCount = WorkloadShape.DEFAULT.loaderCount();

  @Option(
      names = "--classes",
      paramLabel = "N",
      description = "Classes per loader (${DEFAULT-VALUE}).")
  private int classCount = WorkloadShape.DEFAULT.classCount();

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Fields and methods per class: 3 and 4 times N (${DEFAULT-VALUE}).")
  private int size = WorkloadShape.DEFAULT.size();

  @Option(
      names = "--interleave",
      paramLabel = "HOW",
      description =
          "The classes that a loader loads per turn: loader (all), class (one), or a fraction"
              + " (${DEFAULT-VALUE}).")
  private String interleave = WorkloadShape.DEFAULT.interleave();

  @Option(
      names = "--cycles",
      paramLabel = "N",
      description = "Number of times that the whole set is loaded (${DEFAULT-VALUE}).")
  private int cycleCount = WorkloadShape.DEFAULT.cycleCount();

  @Option(
      names = "--pause",
      paramLabel = "MILLIS",
      description = "The pause after each phase (${DEFAULT-VALUE}).")
  private int pauseMillis = WorkloadShape.DEFAULT.pauseMillis();

  JvmCommand() {
    super("metaspace that the JVMs of this machine keep when their classes are gone");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<JvmSpec> found = withCachedStock(looked(progress, JvmSelection::found), text::println);
    return measure(
        fewest(found, isBrief ? MOST_JVMS_QUICK : MOST_JVMS),
        isBrief ? WorkloadShape.QUICK : WorkloadShape.DEFAULT,
        progress,
        text);
  }

  private static List<JvmSpec> fewest(List<JvmSpec> specs, int mostJvms) {
    List<JvmSpec> stock = specs.stream().filter(JvmSpec::isStock).limit(1).toList();
    List<JvmSpec> others = specs.stream().filter(spec -> !stock.contains(spec)).toList();
    int tooManyCount = Math.max(0, stock.size() + others.size() - mostJvms);
    return Stream.concat(stock.stream(), others.stream().skip(tooManyCount)).toList();
  }

  @Override
  Section measure(WorkloadShape shape, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    return measure(specs(progress), shape, progress, text);
  }

  /** Runs the JVMs one after another, with a line for each that has ended, and prints tables. */
  private static Section measure(
      List<JvmSpec> specs, WorkloadShape shape, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    Consumer<JvmMeasurement> done =
        measurement -> {
          progress.clear();
          JvmSection.remarks(measurement).forEach(text::println);
          text.flush();
        };
    List<JvmMeasurement> measurements =
        JvmLab.run(specs, shape, OurProgram.workload("InterleavedLoaders"), progress, done);
    Section section = JvmSection.of(shape, measurements);
    section.lines().forEach(text::println);
    text.flush();
    return section;
  }

  private List<JvmSpec> specs(Progress progress) throws IOException, InterruptedException {
    List<JvmSpec> specs =
        looked(progress, () -> jvms.isEmpty() ? JvmSelection.found() : JvmSelection.given(jvms));
    if (isWithStock) {
      return JvmSelection.withStock(StockJvm.ofThisUser().fetch(this::say), specs);
    }
    return jvms.isEmpty() ? withCachedStock(specs, this::say) : specs;
  }

  /** Looks for JVMs, which takes a moment. */
  static List<JvmSpec> looked(Progress progress, Planning<List<JvmSpec>> looking)
      throws IOException {
    progress.at("jvm", "looking for JVMs", 0);
    List<JvmSpec> specs = looking.plan();
    progress.clear();
    return specs;
  }

  /** Adds the stock JVM if it has been fetched before; otherwise says how to get it. */
  private static List<JvmSpec> withCachedStock(List<JvmSpec> specs, Consumer<String> say)
      throws IOException {
    if (specs.stream().anyMatch(JvmSpec::isStock)) {
      return specs;
    }
    Optional<Path> stock = StockJvm.ofThisUser().cached();
    if (stock.isPresent()) {
      return JvmSelection.withStock(stock.get(), specs);
    }
    say.accept("no JVM from before JEP 387 to compare with: arenal jvm --stock fetches one, once");
    return specs;
  }

  @Override
  WorkloadShape plan() {
    return new WorkloadShape(
        generationCount, loaderCount, classCount, size, interleave, cycleCount, pauseMillis);
  }
}
