package dev.arenal.lab;

import dev.arenal.lab.heap.HeapLibraries;
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

/** Traces through allocators: in the lab the embedded ones through all there are. */
final class ReplayExperiment implements Experiment {
  private static final int COUNT_RUNS = 3;
  private static final int COUNT_RUNS_QUICK = 1;

  /** Three traces in a minute and a half, on a slow or busy machine with one run of each. */
  private static final long MOST_SECONDS_PER_TRACE = 25;

  private static final long MOST_SECONDS_PER_TRACE_QUICK = 10;

  /** In the middle: neither the best for HotSpot nor the worst. */
  private static final String QUICK_TRACE = "by-class";

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public String question() {
    return "what each allocator keeps of a real JVM's metaspace, recorded once and replayed";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    int countRuns = isQuick ? COUNT_RUNS_QUICK : COUNT_RUNS;
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    AllocatorChoice choice =
        isQuick ? AllocatorChoice.quick(libraries) : AllocatorChoice.lab(libraries);
    long mostSeconds = isQuick ? MOST_SECONDS_PER_TRACE_QUICK : MOST_SECONDS_PER_TRACE;
    ReplayOptions options = new ReplayOptions(choice.kinds(), countRuns, mostSeconds, false);
    if (!isQuick) {
      return replay(Traces.embeddedNames(), options, choice.notes(), progress, text);
    }
    List<String> notes = new ArrayList<>(choice.notes());
    List<String> others = new ArrayList<>(Traces.embeddedNames());
    others.remove(QUICK_TRACE);
    notes.add("left out with --quick: the traces " + String.join(" and ", others));
    return replay(List.of(QUICK_TRACE), options, notes, progress, text);
  }

  /** Replays traces and makes them a section of the report. */
  static Section replay(
      List<String> traces,
      ReplayOptions options,
      List<String> notes,
      Progress progress,
      PrintWriter text)
      throws IOException, InterruptedException {
    List<TraceReplay> replays = replays(traces, options, notes, progress, text);
    ReplaySection.claimLines(replays).forEach(text::println);
    text.flush();
    return ReplaySection.of(replays, notes);
  }

  /** Replays traces one after another and prints each table as soon as it is there. */
  static List<TraceReplay> replays(
      List<String> traces,
      ReplayOptions options,
      List<String> notes,
      Progress progress,
      PrintWriter text)
      throws IOException, InterruptedException {
    Replayer replayer = new Replayer(options, progress);
    List<TraceReplay> replays = new ArrayList<>();
    notes.forEach(text::println);
    text.flush();
    for (String trace : traces) {
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
