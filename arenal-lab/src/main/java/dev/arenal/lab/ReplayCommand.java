package dev.arenal.lab;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.replay.ReplayOptions;
import dev.arenal.lab.report.ReportFolder;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.report.WholeFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arenal replay}: one trace or several, through allocators side by side. */
@Command(
    name = "replay",
    description = {
      "Replays recorded traces with allocators, each in a fresh process.",
      "",
      "Every word of every block is written. Reported are time, and what is used,"
          + " committed and resident at the first peak, the valley after it, the second peak and"
          + " the end.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal replay by-class",
      "  arenal replay app.trace --allocators elastic,malloc --runs 5",
      "  arenal replay by-class --allocators elastic,jemalloc,mimalloc",
      "  arenal replay by-loader by-class --json results.json --out report/",
    })
final class ReplayCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";
  private static final int DEFAULT_RUNS = 3;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "TRACE",
      description = "A trace file, or an embedded trace: by-loader, by-class, one-class.")
  private List<String> traces = new ArrayList<>();

  @Option(
      names = "--allocators",
      split = ",",
      paramLabel = "NAME",
      description = {
        "hotspot (what the recorded JVM committed), elastic, elastic-64k, elastic-16k,"
            + " elastic-owner, malloc, jemalloc, mimalloc, jdk-confined, jdk-shared. All that are"
            + " installed if not given. ARENAL_JEMALLOC and ARENAL_MIMALLOC name libraries of your"
            + " own."
      })
  private List<String> allocators = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Replays per allocator, taking turns; the median counts (${DEFAULT-VALUE}).")
  private int runs = DEFAULT_RUNS;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes the results as JSON; - is standard output.")
  private @Nullable String json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes results.json and report.html into that folder.")
  private @Nullable Path out;

  @Option(
      names = "--verify",
      description = "Also checks that fresh blocks are zero and keep their contents; slower.")
  private boolean isVerifying;

  @Override
  public Integer call() throws IOException, InterruptedException {
    AllocatorChoice choice = choice();
    ReplayOptions options = options(choice);
    checkPlaces();
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section = ReplayExperiment.replay(traces, options, choice.notes(), progress, textOutput());
    }
    write(List.of(section));
    return section.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Tables make way when standard output is for a program. */
  private PrintWriter textOutput() {
    return STANDARD_OUTPUT.equals(json) ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  private ReplayOptions options(AllocatorChoice choice) {
    try {
      return new ReplayOptions(choice.kinds(), runs, ReplayOptions.NO_LIMIT_SECONDS, isVerifying);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private AllocatorChoice choice() throws IOException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    try {
      return allocators.isEmpty()
          ? AllocatorChoice.all(libraries)
          : AllocatorChoice.named(libraries, allocators);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /** A place that cannot be written to is refused before anything is measured. */
  private void checkPlaces() throws IOException {
    if (json != null && !STANDARD_OUTPUT.equals(json)) {
      WholeFile.check(Path.of(json));
    }
    if (out != null) {
      ReportFolder.check(out);
    }
  }

  private void write(List<Section> sections) throws IOException {
    if (STANDARD_OUTPUT.equals(json)) {
      spec.commandLine().getOut().print(ReportFolder.results(sections));
      spec.commandLine().getOut().flush();
    } else if (json != null) {
      WholeFile.write(Path.of(json), ReportFolder.results(sections));
    }
    if (out != null) {
      ReportFolder.write(out, sections);
    }
  }
}
