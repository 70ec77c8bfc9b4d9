package dev.arenal.lab;

import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.PeerChoice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arenal churn}: random buffers replaced while their sum stays the same. */
@Command(
    name = "churn",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Replaces random buffers for a long time and shows what stays resident.",
    description = {
      "",
      "Threads share a live set whose sum of bytes stays the same. Each operation allocates a"
          + " buffer and frees random ones until it fits; a third of them is freed by another"
          + " thread. Sizes are log-normal. Every OS page of a buffer is written, and marks at both"
          + " ends are checked before it is freed.",
      "",
      "Compared are Arenal's PageAllocator, Netty's adaptive and pooled allocators, malloc, and"
          + " jemalloc and mimalloc where they are installed, each in a process of its own; and"
          + " what the harness costs without any of them. Nothing else should run on the machine"
          + " meanwhile. All of it takes about an hour on two cores, a tenth of that with"
          + " --quick.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal churn --quick",
      "  arenal churn --threads 16 --allocators arenal,netty-adaptive",
      "  arenal churn --operations 1000000 --json -",
      "  arenal churn --live 1g --median 16k --sigma 2.2 --out report/",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:everything was measured, whether claims are reached or not",
      "  1:something failed: see the message",
      "  2:the command line is wrong"
    })
final class ChurnCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--quick", description = "Ten million operations instead of a hundred.")
  private boolean isQuick;

  @Option(
      names = "--operations",
      paramLabel = "N",
      description = "Buffers replaced in each run, by all threads together (100000000).")
  private @Nullable Long countOperations;

  @Option(
      names = "--live",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The sum of all live buffers (256m).")
  private long liveBytes = ChurnPlan.USUAL_LIVE_BYTES;

  @Mixin private LoadOptions load = new LoadOptions();

  @Mixin private SectionOutput output = new SectionOutput();

  @Override
  public Integer call() throws IOException, InterruptedException {
    output.check();
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    ChurnPlan plan = plan(libraries);
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section = ChurnExperiment.run(plan, libraries, progress, output.text());
    }
    return output.write(section);
  }

  private ChurnPlan plan(HeapLibraries libraries) throws IOException {
    try {
      PeerChoice choice = load.choice(libraries);
      return new ChurnPlan(
          choice.kinds(),
          load.threads(ChurnPlan.USUAL_THREADS),
          operations(),
          liveBytes,
          load.sizes(),
          choice.notes());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private long operations() {
    if (countOperations != null) {
      return countOperations;
    }
    return isQuick ? ChurnPlan.QUICK_OPERATIONS : ChurnPlan.USUAL_OPERATIONS;
  }
}
