package dev.arenal.lab;

import dev.arenal.lab.firstuse.FirstUseMeasurement;
import dev.arenal.lab.firstuse.FirstUsePlan;
import dev.arenal.lab.firstuse.FirstUseRun;
import dev.arenal.lab.report.FirstUseSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal first-use}: what the library costs a program that has just started. */
@Command(
    name = "first-use",
    header = "Shows how long the first arena, space and buffer of a fresh JVM take.",
    description = {
      "",
      "What a library costs when it is used for the first time, every program of the command line"
          + " pays, and every function that is started for one request: classes are loaded, and"
          + " calls of the kernel linked. How long until the first 100 bytes are there, of the"
          + " JDK's confined arena, a pooled one, an elastic space with an arena, a page allocator"
          + " with a buffer, and Netty's default allocator?",
      "",
      "Each run is a JVM of its own that does nothing else, and all take turns. Each is run again"
          + " with an AOT cache, which is made on the spot (-XX:AOTCacheOutput, JDK 25): that is"
          + " the recipe of docs/first-use.md. Takes half a minute, --quick a quarter.",
      ""
    },
    footer = {
      "  arenal first-use",
      "  arenal first-use --runs 21 --out report/",
      "  arenal first-use --quick --no-aot-cache",
      "  arenal first-use --json - | jq '.results[] | [.subject, .medianMillis]'",
    })
final class FirstUseCommand extends ExperimentCommand<FirstUsePlan> {
  @Option(names = "--quick", description = "Runs each " + FirstUsePlan.QUICK_RUNS + " times only.")
  private boolean isQuick;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "How often each is run (" + FirstUsePlan.USUAL_RUNS + ").")
  private @Nullable Integer countRuns;

  @Option(names = "--no-aot-cache", description = "Without the runs with an AOT cache.")
  private boolean isWithoutAotCache;

  FirstUseCommand() {
    super("what the first use of the library costs a program that has just started");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    return measure(FirstUsePlan.lab(isBrief), progress, text);
  }

  @Override
  Section measure(FirstUsePlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    FirstUseMeasurement measurement = FirstUseRun.run(plan, progress);
    progress.clear();
    measurement.notes().forEach(text::println);
    return shown(FirstUseSection.of(measurement), progress, text);
  }

  @Override
  FirstUsePlan plan() {
    int usualRuns = isQuick ? FirstUsePlan.QUICK_RUNS : FirstUsePlan.USUAL_RUNS;
    return new FirstUsePlan(countRuns == null ? usualRuns : countRuns, !isWithoutAotCache);
  }
}
