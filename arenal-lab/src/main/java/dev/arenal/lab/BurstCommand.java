package dev.arenal.lab;

import dev.arenal.lab.buffers.BurstPlan;
import dev.arenal.lab.buffers.PeerChoice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arenal burst}: what stays of a gigabyte of buffers when they are freed. */
@Command(
    name = "burst",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Allocates a gigabyte of buffers, frees them and shows what stays resident.",
    description = {
      "",
      "Each thread allocates its share of buffers of log-normal sizes, writes every OS page of"
          + " them, frees them and stays idle; and the same again with one buffer in every megabyte"
          + " that stays live. Arenal is told a short uncommit delay, the others have their"
          + " defaults.",
      "",
      "Compared are Arenal's PageAllocator, Netty's adaptive and pooled allocators, malloc, and"
          + " jemalloc and mimalloc where they are installed, each in a process of its own. What is"
          + " measured is memory, so some of them run side by side. All of it takes some three"
          + " minutes.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal burst",
      "  arenal burst --threads 64 --allocators arenal,jemalloc --idle 30",
      "  arenal burst --bytes 256m --json -",
      "  arenal burst --quick --out report/",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:everything was measured, whether claims are reached or not",
      "  1:something failed: see the message",
      "  2:the command line is wrong"
    })
final class BurstCommand implements Callable<Integer> {
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double MOST_SECONDS = 86_400;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--quick", description = "Idle for 5 seconds instead of 15.")
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
      description = "How long nothing happens after the last free (15).")
  private @Nullable Double idleSeconds;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      description = "How long Arenal keeps free memory (1).")
  private @Nullable Double delaySeconds;

  @Mixin private LoadOptions load = new LoadOptions();

  @Mixin private SectionOutput output = new SectionOutput();

  @Override
  public Integer call() throws IOException, InterruptedException {
    output.check();
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    BurstPlan plan = plan(libraries);
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section = BurstExperiment.run(plan, libraries, progress, output.text());
    }
    return output.write(section);
  }

  private BurstPlan plan(HeapLibraries libraries) throws IOException {
    try {
      PeerChoice choice = load.choice(libraries);
      return new BurstPlan(
          choice.kinds(),
          load.threads(BurstPlan.USUAL_THREADS),
          BurstPlan.BOTH,
          burstBytes,
          duration(idleSeconds, isQuick ? BurstPlan.QUICK_IDLE : BurstPlan.USUAL_IDLE),
          duration(delaySeconds, BurstPlan.USUAL_DELAY),
          load.sizes(),
          choice.notes());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static Duration duration(@Nullable Double seconds, Duration usual) {
    if (seconds == null) {
      return usual;
    }
    if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
      throw new IllegalArgumentException(
          "time is out of range: seconds=%s (expected 0 to %.0f)".formatted(seconds, MOST_SECONDS));
    }
    return Duration.ofMillis(Math.round(seconds * MILLIS_PER_SECOND));
  }
}
