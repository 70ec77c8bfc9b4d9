package dev.arenal.lab;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.record.RecordException;
import dev.arenal.lab.record.Recorder;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.ReplayOptions;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.report.ProgramFindings;
import dev.arenal.lab.report.ReplaySection;
import dev.arenal.lab.report.ReportFolder;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.report.WholeFile;
import dev.arenal.lab.trace.TraceInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code arenal try}: the lab for one's own program, from its start to a report. */
@Command(
    name = "try",
    header = "Runs a Java program and compares its metaspace with that of other allocators.",
    description = {
      "",
      "Records the program as @|bold arenal record|@ does, replays the trace with all"
          + " allocators as @|bold arenal replay|@ does, and writes a report. Compares the"
          + " memory that HotSpot kept after a spike with the memory that an elastic space"
          + " would have kept.",
      "",
      "The program's input and output are unchanged; arenal itself writes to standard error only,"
          + " unless --json=- writes its results behind the program's output. Stop a program that"
          + " does not end by itself with Ctrl-C: the trace until then is replayed. The program"
          + " needs a HotSpot JVM of Java 17 or later.",
      ""
    },
    footer = {
      "  arenal try -- java -jar app.jar",
      "  arenal try --quick --out /tmp/report -- java -Xmx1g -cp app Main",
      "  arenal try --keep app.trace --allocators malloc,jemalloc -- java -jar app.jar"
    },
    exitCodeList = {
      "  0:the program ended with 0 and the report is written",
      "  1..255:the program's own, and the report is written; 128 + n if signal n ended it",
      "  2:the command line of try itself is wrong",
      "  125:there is no report, or not a whole one: see the message"
    })
final class TryCommand extends ArenalCommand {
  private static final int RUN_COUNT = 3;
  private static final String PREFIX = "arenal try: ";

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder for report.html and the JSON files (${DEFAULT-VALUE}).")
  private Path out = Path.of("arenal-report");

  @Option(
      names = "--allocators",
      split = ",",
      paramLabel = "NAME",
      description =
          "The allocators to replay with, as for replay; hotspot and elastic are always among"
              + " them. By default all that are installed.")
  private List<String> allocators = new ArrayList<>();

  @Option(
      names = "--quick",
      description = "One replay per allocator instead of three, and fewer allocators.")
  private boolean isQuick;

  @Option(
      names = "--keep",
      paramLabel = "TRACE",
      description = "Keeps the trace in that file, for further replays.")
  private @Nullable Path keep;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command line to run: java, or a path to it, and its arguments.")
  private List<String> command = List.of();

  @Mixin private JsonOutput output = new JsonOutput();

  @Override
  public Integer call() throws InterruptedException {
    try {
      Choice<AllocatorKind> choice = choice();
      // A place that cannot be written to is refused before the program runs.
      WholeFile.checkFolder(out);
      output.check();
      try (TemporaryFolder folder = TemporaryFolder.create("arenal-try")) {
        String name = Recorder.programName(command) + ".trace";
        return run(choice, keep == null ? folder.file(name) : keep);
      }
    } catch (RecordException | IOException e) {
      say(PREFIX + e.getMessage());
      return Recorder.EXIT_NOT_RECORDED;
    }
  }

  private int run(Choice<AllocatorKind> choice, Path trace)
      throws RecordException, IOException, InterruptedException {
    Recorder.Result result = Recorder.record(command, trace);
    if (result.problem() != null) {
      say(PREFIX + result.problem());
    }
    TraceInfo info = result.info();
    if (info == null) {
      return Recorder.EXIT_NOT_RECORDED;
    }
    say(PREFIX + ProgramFindings.recorded(info, result.exitCode()));
    if (info.allocationCount() == 0) {
      say(PREFIX + ProgramFindings.NOTHING_TO_REPLAY);
      return Recorder.EXIT_NOT_RECORDED;
    }
    Section section = replay(choice, trace);
    write(section);
    return section.failures().isEmpty() ? result.exitCode() : Recorder.EXIT_NOT_RECORDED;
  }

  private Choice<AllocatorKind> choice() throws IOException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    List<String> names = new ArrayList<>(allocators);
    if (!names.isEmpty()) {
      names.addAll(0, List.of("hotspot", "elastic"));
    }
    return planned(() -> ReplayCommand.choice(libraries, names, isQuick));
  }

  private Section replay(Choice<AllocatorKind> choice, Path trace)
      throws IOException, InterruptedException {
    ReplayOptions options =
        new ReplayOptions(
            choice.kinds(), isQuick ? 1 : RUN_COUNT, ReplayOptions.NO_LIMIT_SECONDS, false);
    ReplayCommand.Plan plan =
        // Whole: a name alone may be that of an embedded trace.
        new ReplayCommand.Plan(List.of(trace.toAbsolutePath().toString()), options, choice.notes());
    try (Progress progress = Progress.onStandardError()) {
      List<TraceReplay> replays = ReplayCommand.replays(plan, progress, err());
      return ReplaySection.ofProgram(replays.getFirst(), choice.notes());
    }
  }

  private void write(Section section) throws IOException {
    section.findings().forEach(this::say);
    say("");
    try {
      output.writeJson(section.json());
    } finally { // a pipe that was closed does not take the report along
      ReportFolder.write(out, List.of(section));
      if (keep != null) {
        say("trace: " + keep);
      }
      say("report: " + out.resolve("report.html"));
    }
  }
}
