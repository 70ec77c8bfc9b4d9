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
    header = "Shows how long the first arena, space and buffer of a new JVM take.",
    description = {
      "",
      "The first use of a library loads classes and links calls of the kernel. Every command-line"
          + " program pays for that, and so does every function that is started for one request."
          + " The command measures the time until the first 100 bytes are allocated from the JDK's"
          + " confined arena, a pooled one, an elastic space with an arena, a page allocator with"
          + " a buffer, and Netty's default allocator.",
      "",
      "Each run is a new JVM that does nothing else, and all take turns. Each is repeated with an"
          + " AOT cache, which is created first (-XX:AOTCacheOutput, JDK 25), as docs/first-use.md"
          + " describes. The experiment takes half a minute, and half of that with --quick.",
      ""
    },
    footer = {
      "  arenal first-use",
      "  arenal first-use --runs 21 --out report/",
      "  arenal first-use --quick --no-aot-cache",
      "  arenal first-use --json - | jq '.results[] | [.subject, .medianMillis]'",
    })
final class FirstUseCommand extends ExperimentCommand<FirstUsePlan> {
  @Option(names = "--quick", description = "Only " + FirstUsePlan.QUICK_RUNS + " runs each.")
  private boolean isQuick;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each (" + FirstUsePlan.USUAL_RUNS + ").")
  private @Nullable Integer runCount;

  @Option(names = "--no-aot-cache", description = "Leaves out the runs with an AOT cache.")
  private boolean isWithoutAotCache;

  FirstUseCommand() {
    super("the time of the first use of the library in a new JVM");
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
    return new FirstUsePlan(runCount == null ? usualRuns : runCount, !isWithoutAotCache);
  }
}
