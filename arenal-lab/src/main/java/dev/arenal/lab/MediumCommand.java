package dev.arenal.lab;

import dev.arenal.lab.medium.MediumPlan;
import dev.arenal.lab.medium.MediumRunner;
import dev.arenal.lab.report.MediumSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arenal medium}: a full medium page, replaced by one thread or by all of them. */
@Command(
    name = "medium",
    header = "Compares the refill of medium pages by one thread with the refill by all threads.",
    description = {
      "",
      "Threads allocate buffers of up to an eighth of a medium page from one PageAllocator, write"
          + " them, and free them in waves, as a garbage collector does. Some buffers survive, and"
          + " there are also small and large ones. In the first run, every thread that finds the"
          + " shared page full takes a new one, and all but one of these pages are undone. In the"
          + " second run, one thread takes a new page, and the others wait. Then both runs are"
          + " repeated in the opposite order. Each run is a separate process.",
      "",
      "The output has the statistics of both variants, the figures side by side with their"
          + " ratio, and the verdicts on the claims. docs/medium.md describes the comparison.",
      ""
    },
    footer = {
      "  arenal medium",
      "  arenal medium --threads 64 --capacity 2g --seconds 30",
      "  arenal medium --seconds 2 --json - | jq '.runs[].undoPageAllocations'",
      "  arenal medium --out report/",
    })
final class MediumCommand extends ExperimentCommand<MediumPlan> {
  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads that allocate (${DEFAULT-VALUE}).")
  private int threadCount = MediumPlan.usual().threadCount();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "The length of each of the four runs (${DEFAULT-VALUE}).")
  private int seconds = MediumPlan.usual().seconds();

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description =
          "The most bytes that the pages of the allocator may take, such as 1g (${DEFAULT-VALUE})."
              + " A medium page is a thirty-second of it, rounded down to a power of two, and 32"
              + " MiB at most.")
  private long capacityBytes = MediumPlan.usual().capacityBytes();

  MediumCommand() {
    super("buffers of some hundred KiB from pages that one thread refills for all");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    MediumPlan plan = MediumPlan.lab(isBrief);
    try {
      plan.checkMemory();
    } catch (IOException e) {
      return MediumSection.without(plan, String.valueOf(e.getMessage()));
    }
    return run(plan, progress, text);
  }

  @Override
  Section measure(MediumPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    plan.checkMemory();
    return run(plan, progress, text);
  }

  private Section run(MediumPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    return shown(MediumSection.of(MediumRunner.run(plan, progress)), progress, text);
  }

  @Override
  MediumPlan plan() {
    return new MediumPlan(threadCount, seconds, capacityBytes);
  }
}
