package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ChildFailedException;
import dev.arenal.lab.heap.ChildProcess;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.result.Json;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Carries out a plan: one process after another, since their times are compared. */
public final class ChurnRun {
  private static final long MIB = 1024 * 1024;

  /** The worst of the peers keeps six times what is live. */
  private static final int MOST_RESIDENT_PER_LIVE = 7;

  private static final long JVM_BYTES = 400 * MIB;

  private final ChurnPlan plan;
  private final HeapLibraries libraries;
  private final LoadProgress progress;
  private final List<ChurnResult> results = new ArrayList<>();
  private final List<ChurnResult> controls = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private ChurnRun(ChurnPlan plan, HeapLibraries libraries, LoadProgress progress) {
    this.plan = plan;
    this.libraries = libraries;
    this.progress = progress;
  }

  /**
   * Carries out a plan.
   *
   * @throws IOException if there is not enough memory, or a library is missing
   */
  public static ChurnMeasurement run(ChurnPlan plan, HeapLibraries libraries, LoadProgress progress)
      throws IOException, InterruptedException {
    checkMemory(plan);
    return new ChurnRun(plan, libraries, progress).run();
  }

  /**
   * Asks this machine.
   *
   * @throws IOException if there is not enough memory
   */
  public static void checkMemory(ChurnPlan plan) throws IOException {
    checkMemory(plan, AvailableMemory.now().bytes());
  }

  static void checkMemory(ChurnPlan plan, long availableBytes) throws IOException {
    long neededBytes = plan.liveBytes() * MOST_RESIDENT_PER_LIVE + JVM_BYTES;
    if (neededBytes > availableBytes) {
      throw new IOException(
          ("not enough memory to churn: liveBytes=%d, neededBytes=%d, availableBytes=%d (expected"
                  + " %d times what is live and a JVM; stop other programs or ask for less with"
                  + " --live)")
              .formatted(plan.liveBytes(), neededBytes, availableBytes, MOST_RESIDENT_PER_LIVE));
    }
  }

  private ChurnMeasurement run() throws IOException, InterruptedException {
    List<ChurnSpec> specs = new ArrayList<>();
    for (int countThreads : plan.threads()) {
      for (PeerKind kind : plan.kinds()) {
        if (kind != PeerKind.NONE) {
          specs.add(spec(kind, countThreads));
        }
      }
      specs.add(spec(PeerKind.NONE, countThreads));
    }
    for (int i = 0; i < specs.size(); i++) {
      ChurnSpec spec = specs.get(i);
      String step =
          "%s, %d threads (%d of %d)"
              .formatted(spec.kind().label(), spec.countThreads(), i + 1, specs.size());
      try {
        ChurnResult result = ChurnResult.of(spec, runOne(spec, step));
        (spec.kind() == PeerKind.NONE ? controls : results).add(result);
      } catch (ChildFailedException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    return new ChurnMeasurement(plan, results, controls, failures);
  }

  private ChurnSpec spec(PeerKind kind, int countThreads) {
    return new ChurnSpec(
        kind, countThreads, plan.countOperations(), plan.liveBytes(), plan.sizes());
  }

  private ChurnOutcome runOne(ChurnSpec spec, String step)
      throws IOException, InterruptedException, ChildFailedException {
    progress.at(step, 0);
    return ChildProcess.run(
        "churn",
        "allocator=%s, threads=%d".formatted(spec.kind().label(), spec.countThreads()),
        PeerProcess.builder(ChurnChild.class, spec.kind(), libraries, spec.words()),
        seconds -> progress.at(step, seconds),
        Json.resultOf(ChurnOutcome.class));
  }
}
