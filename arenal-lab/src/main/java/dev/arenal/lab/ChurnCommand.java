package dev.arenal.lab;

import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.ChurnRun;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.report.ChurnSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code arenal churn}: random buffers replaced while their sum stays the same. */
@Command(
    name = "churn",
    header = "Replaces random buffers for a long time and shows the resident size.",
    description = {
      "",
      "Threads share a live set whose sum of bytes stays the same. Each operation allocates a"
          + " buffer and frees random ones until it fits; another thread frees a third of them."
          + " Sizes are log-normal. Every OS page of a buffer is written, and marks at both ends"
          + " are checked before it is freed.",
      "",
      "The experiment compares Arenal's PageAllocator, Netty's adaptive and pooled allocators,"
          + " malloc, and jemalloc and mimalloc where installed, each in a separate process, and"
          + " the harness without an allocator. Arenal, malloc and jemalloc run with their"
          + " defaults, and again with a short delay for giving back free memory: arenal-short,"
          + " malloc-trim (-XX:TrimNativeHeapInterval) and jemalloc-decay (a background thread).",
      "",
      "Allocators take turns, three times by default, because a shared machine has fast and slow"
          + " minutes. The output has the run with the median time, the shortest and the longest"
          + " time, and the highest resident over live of all runs.",
      "",
      "Nothing else should run on the machine meanwhile. The experiment takes two to four hours on"
          + " two cores, and five to ten minutes with --quick, which runs each allocator once and"
          + " leaves out arenal-short, malloc and jemalloc.",
      ""
    },
    footer = {
      "  arenal churn --quick",
      "  arenal churn --threads 16 --allocators arenal,netty-adaptive",
      "  arenal churn --operations 1000000 --runs 5 --json -",
      "  arenal churn --live 1g --median 16k --sigma 2.2 --out report/",
    })
final class ChurnCommand extends ExperimentCommand<ChurnPlan> {
  @Option(
      names = "--quick",
      description =
          "Ten million operations instead of a hundred, one run of each allocator, and fewer"
              + " allocators.")
  private boolean isQuick;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Buffers replaced in each run, by all threads together (100000000).")
  private @Nullable Long operationCount;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each allocator (" + ChurnPlan.USUAL_RUNS + "; 1 with --quick).")
  private @Nullable Integer runCount;

  @Option(
      names = "--live",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The sum of all live buffers (256m).")
  private long liveBytes = ChurnPlan.USUAL_LIVE_BYTES;

  @Mixin private LoadOptions load = new LoadOptions();

  ChurnCommand() {
    super("resident size while random buffers replace each other");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    Choice<PeerKind> choice =
        LoadOptions.usual(ChurnPlan.NOT_IN_LAB, "not shown here, but by arenal churn: ");
    return measure(ChurnPlan.lab(isBrief, choice), progress, text);
  }

  @Override
  Section measure(ChurnPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    ChurnRun.checkMemory(plan); // what is refused says nothing of what would have been left out
    plan.notes().forEach(text::println);
    text.flush();
    ChurnMeasurement measurement = ChurnRun.run(plan, HeapLibraries.ofThisMachine(), progress);
    return shown(ChurnSection.of(measurement), progress, text);
  }

  @Override
  ChurnPlan plan() throws IOException {
    int usualRuns = isQuick ? 1 : ChurnPlan.USUAL_RUNS;
    int runs = runCount == null ? usualRuns : runCount;
    ChurnPlan.checkRuns(runs); // a plan takes 0 for 1: old results have none
    long usual = isQuick ? ChurnPlan.QUICK_OPERATIONS : ChurnPlan.USUAL_OPERATIONS;
    long operations = operationCount == null ? usual : operationCount;
    Choice<PeerKind> choice = load.choice(isQuick, ChurnPlan.NOT_QUICK);
    return new ChurnPlan(
        choice.kinds(),
        load.threads(ChurnPlan.USUAL_THREADS),
        operations,
        runs,
        liveBytes,
        load.sizes(),
        ChurnPlan.notes(choice.notes(), operations));
  }
}
