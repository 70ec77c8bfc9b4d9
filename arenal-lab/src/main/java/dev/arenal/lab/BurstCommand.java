package dev.arenal.lab;

import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.BurstPlan;
import dev.arenal.lab.buffers.BurstRun;
import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.report.BurstSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code arenal burst}: what stays of a gigabyte of buffers when they are freed. */
@Command(
    name = "burst",
    header = "Allocates a gigabyte of buffers, frees them and shows how much stays resident.",
    description = {
      "",
      "Each thread allocates its share of buffers with log-normal sizes, writes every OS page of"
          + " them, frees them and stays idle. Then all of that is repeated with one buffer in"
          + " every megabyte that stays live.",
      "",
      "Arenal, malloc and jemalloc run with their defaults, and again with a short delay for"
          + " giving back free memory: arenal-short, malloc-trim (-XX:TrimNativeHeapInterval)"
          + " and jemalloc-decay (a background thread), all with the same delay. Arenal's"
          + " default delay is five minutes: that row keeps its memory until trim() at the end."
          + " Before the last look the C library gives back what the JVM's compilers freed in the"
          + " processes of Arenal and mimalloc; in the others, where they lie among those that are"
          + " measured, these few MiB count.",
      "",
      "The experiment compares Arenal's PageAllocator, Netty's adaptive and pooled allocators,"
          + " malloc, and jemalloc and mimalloc where installed, each in a separate process. It"
          + " measures memory, so that some processes may run side by side. It takes some five"
          + " minutes; --quick leaves out netty-pooled, malloc and jemalloc.",
      ""
    },
    footer = {
      "  arenal burst",
      "  arenal burst --threads 64 --allocators arenal-short,jemalloc-decay --idle 30",
      "  arenal burst --bytes 256m --json -",
      "  arenal burst --runs 5 --threads 2",
      "  arenal burst --quick --out report/",
    })
final class BurstCommand extends ExperimentCommand<BurstPlan> {
  private static final double MOST_SECONDS = 86_400;

  @Option(
      names = "--quick",
      description = "Idle for 5 seconds instead of 15, and fewer allocators.")
  private boolean isQuick;

  @Option(
      names = "--bytes",
      paramLabel = "BYTES",
      converter = ByteSize.class,
      description = "The sum of all buffers (1g).")
  private long burstBytes = BurstPlan.USUAL_BYTES;

  @Option(
      names = "--idle",
      paramLabel = "SECONDS",
      description = "The idle time after the last free (15).")
  private @Nullable Double idleSeconds;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      description = "How long arenal-short, malloc-trim and jemalloc-decay keep free memory (1).")
  private @Nullable Double delaySeconds;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs of each allocator, which take" + " turns (1).")
  private int runCount = 1;

  @Mixin private LoadOptions load = new LoadOptions();

  BurstCommand() {
    super("resident size after many buffers were freed at once");
  }

  @Override
  Section inLab(boolean isBrief, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    Choice<PeerKind> choice =
        LoadOptions.usual(
            isBrief ? BurstPlan.NOT_QUICK : List.of(), "not shown here, but by arenal burst: ");
    return measure(BurstPlan.lab(isBrief, choice), progress, text);
  }

  @Override
  Section measure(BurstPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    BurstRun.checkMemory(plan); // what is refused says nothing of what would have been left out
    plan.notes().forEach(text::println);
    text.flush();
    BurstMeasurement measurement = BurstRun.run(plan, HeapLibraries.ofThisMachine(), progress);
    return shown(BurstSection.of(measurement), progress, text);
  }

  @Override
  BurstPlan plan() throws IOException {
    ChurnPlan.checkRuns(runCount); // a plan takes 0 for 1: old results have none
    Choice<PeerKind> choice = load.choice(isQuick, BurstPlan.NOT_QUICK);
    return new BurstPlan(
        choice.kinds(),
        load.threads(BurstPlan.USUAL_THREADS),
        BurstPlan.BOTH,
        runCount,
        burstBytes,
        duration(idleSeconds, isQuick ? BurstPlan.QUICK_IDLE : BurstPlan.USUAL_IDLE, MOST_SECONDS),
        duration(delaySeconds, BurstPlan.USUAL_DELAY, MOST_SECONDS),
        load.sizes(),
        BurstPlan.notes(choice.notes(), burstBytes));
  }
}
