package dev.arenal.lab.buffers;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.heap.ChildFailedException;
import dev.arenal.lab.heap.ChildProcess;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.result.Json;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a plan. What is measured is memory and not speed, and processes are idle most of the
 * time: so as many of them run side by side as memory allows, up to a few for each processor.
 */
public final class BurstRun {
  private static final long MIB = 1024 * 1024;

  /** Most that a peer has resident for a byte of a burst. */
  private static final int MOST_RESIDENT_PER_BURST = 2;

  private static final long JVM_BYTES = 400 * MIB;
  private static final int PROCESSES_PER_PROCESSOR = 3;

  private final BurstPlan plan;
  private final HeapLibraries libraries;
  private final LoadProgress progress;
  private int countDone;

  private BurstRun(BurstPlan plan, HeapLibraries libraries, LoadProgress progress) {
    this.plan = plan;
    this.libraries = libraries;
    this.progress = progress;
  }

  /**
   * Carries out a plan.
   *
   * @throws IOException if there is not enough memory, or a library is missing
   */
  public static BurstMeasurement run(BurstPlan plan, HeapLibraries libraries, LoadProgress progress)
      throws IOException, InterruptedException {
    return new BurstRun(plan, libraries, progress).run(countParallel(plan));
  }

  /**
   * Asks this machine.
   *
   * @throws IOException if there is not enough memory
   */
  public static void checkMemory(BurstPlan plan) throws IOException {
    var _ = countParallel(plan);
  }

  private static int countParallel(BurstPlan plan) throws IOException {
    return countParallel(
        plan, AvailableMemory.now().bytes(), Runtime.getRuntime().availableProcessors());
  }

  /** How many processes there is memory for; at least one, or an error. */
  static int countParallel(BurstPlan plan, long availableBytes, int countProcessors)
      throws IOException {
    long neededBytes = plan.burstBytes() * MOST_RESIDENT_PER_BURST + JVM_BYTES;
    if (neededBytes > availableBytes) {
      throw new IOException(
          ("not enough memory for a burst: burstBytes=%d, neededBytes=%d, availableBytes=%d"
                  + " (expected twice the burst and a JVM; stop other programs or ask for less"
                  + " with --bytes)")
              .formatted(plan.burstBytes(), neededBytes, availableBytes));
    }
    // Half of it: others live on this machine too.
    long fitting = Math.max(1, availableBytes / 2 / neededBytes);
    return (int) Math.min(fitting, (long) PROCESSES_PER_PROCESSOR * countProcessors);
  }

  /** One process, or what became of it. */
  private record Job(BurstSpec spec, @Nullable BurstOutcome outcome, @Nullable String failure) {}

  private BurstMeasurement run(int countParallel) throws IOException, InterruptedException {
    List<BurstSpec> specs = specs();
    List<BurstResult> results = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(countParallel)) {
      List<Future<Job>> futures = new ArrayList<>();
      specs.forEach(spec -> futures.add(executor.submit(() -> runOne(spec, specs.size()))));
      try {
        for (Future<Job> future : futures) {
          Job job = future.get();
          if (job.outcome() != null) {
            results.add(BurstResult.of(job.spec(), job.outcome()));
          } else {
            failures.add(String.valueOf(job.failure()));
          }
        }
      } catch (ExecutionException e) {
        var _ = executor.shutdownNow();
        if (e.getCause() instanceof IOException cause) {
          throw cause;
        }
        throw new IllegalStateException("a burst failed", e.getCause());
      } catch (InterruptedException e) {
        var _ = executor.shutdownNow();
        throw e;
      }
    }
    return new BurstMeasurement(plan, results, failures);
  }

  private List<BurstSpec> specs() {
    List<BurstSpec> specs = new ArrayList<>();
    for (int countThreads : plan.threads()) {
      for (boolean hasSurvivors : plan.survivors()) {
        for (PeerKind kind : plan.kinds()) {
          specs.add(
              new BurstSpec(
                  kind,
                  countThreads,
                  plan.burstBytes(),
                  hasSurvivors,
                  plan.idle(),
                  plan.uncommitDelay(),
                  plan.sizes()));
        }
      }
    }
    return specs;
  }

  private Job runOne(BurstSpec spec, int countAll) throws IOException, InterruptedException {
    String details =
        "allocator=%s, threads=%d, survivors=%b"
            .formatted(spec.kind().label(), spec.countThreads(), spec.hasSurvivors());
    String step = spec.kind().label() + ", " + Figures.threads(spec.countThreads());
    try {
      BurstOutcome outcome =
          ChildProcess.run(
              "burst",
              details,
              PeerProcess.builder(BurstChild.class, spec.kind(), libraries, spec.words()),
              seconds -> report(step, countAll, seconds),
              Json.resultOf(BurstOutcome.class));
      return new Job(spec, outcome, null);
    } catch (ChildFailedException e) {
      return new Job(spec, null, e.getMessage());
    } finally {
      countOneMore();
    }
  }

  private synchronized void countOneMore() {
    countDone++;
  }

  private synchronized void report(String step, int countAll, long seconds) {
    progress.at("%d of %d done, %s".formatted(countDone, countAll, step), seconds);
  }
}
