package dev.arenal.lab;

import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.ReplayOptions;
import dev.arenal.lab.replay.Replayer;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.report.ReplaySection;
import dev.arenal.lab.report.ReplayTables;
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

  /** Three traces in less than three minutes, on a slow or busy machine with fewer runs. */
  private static final long MOST_SECONDS_PER_TRACE = 52;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    int countRuns = isQuick ? COUNT_RUNS_QUICK : COUNT_RUNS;
    ReplayOptions options =
        new ReplayOptions(
            List.of(AllocatorKind.values()), countRuns, MOST_SECONDS_PER_TRACE, false);
    return replay(Traces.embeddedNames(), options, progress, text);
  }

  /** Replays traces one after another and prints each table as soon as it is there. */
  static Section replay(
      List<String> traces, ReplayOptions options, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    Replayer replayer = new Replayer(options, progress);
    List<TraceReplay> replays = new ArrayList<>();
    for (String trace : traces) {
      TraceReplay replay = replayer.replay(trace);
      progress.clear();
      replays.add(replay);
      ReplayTables.lines(replay).forEach(text::println);
      replay.failures().forEach(text::println);
      text.println();
      text.flush();
    }
    return ReplaySection.of(replays);
  }
}
