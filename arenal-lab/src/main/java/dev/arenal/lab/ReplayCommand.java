package dev.arenal.lab;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.ReplayOptions;
import dev.arenal.lab.replay.Replayer;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.report.ReplaySection;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.trace.Traces;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code arenal replay}: one trace or several, through allocators side by side. */
@Command(
    name = "replay",
    header = "Replays recorded traces with allocators, each in a separate process.",
    description = {
      "",
      "Every word of every block is written. The output has the time, and used, committed and"
          + " resident bytes at the first peak, the valley after it, the second peak and the end.",
      ""
    },
    footer = {
      "  arenal replay groovy by-class",
      "  arenal replay app.trace --allocators elastic,malloc --runs 5",
      "  arenal replay by-class --allocators elastic,jemalloc,mimalloc",
      "  arenal replay --runs 5 --seconds-per-trace 300",
      "  arenal replay by-loader by-class --json results.json --out report/",
    })
final class ReplayCommand extends ExperimentCommand<ReplayCommand.Plan> {
  private static final int RUN_COUNT = 3;
  private static final int COUNT_RUNS_QUICK = 1;

  /** All traces together; each is replayed once by each allocator, however long that takes. */
  private static final long MOST_SECONDS = 130;

  private static final long MOST_SECONDS_PER_TRACE_QUICK = 10;

  /** A real program, and a generated one that is neither the best for HotSpot nor the worst. */
  private static final List<String> QUICK_TRACES = List.of("groovy", "by-class");

  private static final List<AllocatorKind> ALL = List.of(AllocatorKind.values());

  /** Second forms of ours, of which the command for one trace shows more. */
  private static final List<AllocatorKind> NOT_IN_LAB =
      List.of(AllocatorKind.ELASTIC_64K, AllocatorKind.ELASTIC_16K);

  /** Allocators that say little when time is short. */
  private static final List<AllocatorKind> NOT_QUICK =
      List.of(
          AllocatorKind.ELASTIC_64K,
          AllocatorKind.ELASTIC_16K,
          AllocatorKind.ELASTIC_KEPT,
          AllocatorKind.ELASTIC_OWNER,
          AllocatorKind.MIMALLOC_OWNER,
          AllocatorKind.JDK_SHARED);

  @Parameters(
      arity = "0..*",
      paramLabel = "TRACE",
      description = {
        "A trace file, or an embedded trace; by default all embedded traces. Real programs:"
            + " groovy, clojure, rhino, jsp, calcite, hibernate, tomcat, felix, builds, lambdas."
            + " Generated: by-loader, by-class, one-class."
      })
  private List<String> traces = new ArrayList<>();

  @Option(
      names = "--allocators",
      split = ",",
      paramLabel = "NAME",
      description = {
        "hotspot (committed by the recorded JVM), clairvoyant (committed by an ideal allocator"
            + " that knows which arenas die together), elastic, elastic-64k, elastic-16k,"
            + " elastic-kept (keeps free memory, as the heaps do), elastic-owner, malloc,"
            + " jemalloc, mimalloc, mimalloc-owner (a heap for each owner, destroyed as a whole),"
            + " jdk-confined, jdk-shared. By default all that are installed. ARENAL_JEMALLOC and"
            + " ARENAL_MIMALLOC name other libraries."
      })
  private List<String> allocators = new ArrayList<>();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Replays of each allocator, which take turns; the median counts" + " (${DEFAULT-VALUE}).")
  private int runs = RUN_COUNT;

  @Option(
      names = "--seconds-per-trace",
      paramLabel = "N",
      description = {
        "The time for further runs, as in arenal lab. First, each allocator replays a trace once,"
            + " however long that takes. Then allocators replay two by two, up to --runs, while"
            + " there is time; not elastic-64k, -16k, -kept and -owner, nor those that took more"
            + " than a quarter of the time. jdk-shared and mimalloc-owner are left out if the"
            + " close of their arenas or heaps alone would take more than a quarter. No limit by"
            + " default."
      })
  private long secondsPerTrace = ReplayOptions.NO_LIMIT_SECONDS;

  @Option(
      names = "--verify",
      description = "Also checks that new blocks are zero and keep their contents; slower.")
  private boolean isVerifying;

  /**
   * The traces to replay.
   *
   * @param notes what a reader has to know about the allocators; whole lines
   */
  record Plan(List<String> traces, ReplayOptions options, List<String> notes) {}

  ReplayCommand() {
    super("memory that each allocator keeps of a real JVM's metaspace, recorded once and replayed");
  }

  @Override
  Plan plan() throws IOException {
    Choice<AllocatorKind> choice = choice(HeapLibraries.ofThisMachine(), allocators, false);
    for (String trace : traces) { // a name that is wrong is told before the others are measured
      if (Traces.info(trace).allocationCount() == 0) {
        throw new IOException(
            "nothing to replay: trace=%s, allocations=0 (expected at least 1)".formatted(trace));
      }
    }
    return new Plan(
        traces.isEmpty() ? Traces.embeddedNames() : traces,
        new ReplayOptions(choice.kinds(), runs, secondsPerTrace, isVerifying),
        choice.notes());
  }

  /** Those named; if none is, all that this machine has, or fewer. */
  static Choice<AllocatorKind> choice(HeapLibraries libraries, List<String> names, boolean isQuick)
      throws IOException {
    return names.isEmpty()
        ? Choice.without(libraries, ALL, isQuick ? NOT_QUICK : List.of(), "left out with --quick: ")
        : Choice.named(libraries, ALL, names);
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    int runCount = isBrief ? COUNT_RUNS_QUICK : RUN_COUNT;
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    Choice<AllocatorKind> choice =
        isBrief
            ? choice(libraries, List.of(), true)
            : Choice.without(libraries, ALL, NOT_IN_LAB, "not shown here, but by arenal replay: ");
    long mostSeconds =
        isBrief ? MOST_SECONDS_PER_TRACE_QUICK : MOST_SECONDS / Traces.embeddedNames().size();
    ReplayOptions options = new ReplayOptions(choice.kinds(), runCount, mostSeconds, false);
    if (!isBrief) {
      Plan plan = new Plan(Traces.embeddedNames(), options, choice.notes());
      return measure(plan, progress, text);
    }
    List<String> notes = new ArrayList<>(choice.notes());
    List<String> others = new ArrayList<>(Traces.embeddedNames());
    others.removeAll(QUICK_TRACES);
    notes.add("left out with --quick: the traces " + String.join(", ", others));
    return measure(new Plan(QUICK_TRACES, options, notes), progress, text);
  }

  @Override
  Section measure(Plan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<TraceReplay> replays = replays(plan, progress, text);
    ReplaySection.claimLines(replays).forEach(text::println);
    text.flush();
    return ReplaySection.of(replays, plan.notes());
  }

  /** Replays traces one after another and prints each table as soon as it is there. */
  static List<TraceReplay> replays(Plan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    Replayer replayer = new Replayer(plan.options(), progress);
    List<TraceReplay> replays = new ArrayList<>();
    plan.notes().forEach(text::println);
    text.flush();
    for (String trace : plan.traces()) {
      TraceReplay replay = replayer.replay(trace);
      progress.clear();
      replays.add(replay);
      ReplaySection.lines(replay).forEach(text::println);
      replay.notes().forEach(text::println);
      replay.failures().forEach(text::println);
      text.println();
      text.flush();
    }
    return replays;
  }
}
