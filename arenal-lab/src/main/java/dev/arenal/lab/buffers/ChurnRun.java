package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Carries out a plan: one process after another, since their times are compared. */
public final class ChurnRun {
  private static final long MIB = 1024 * 1024;

  /** The worst of the peers keeps six times what is live. */
  private static final int MOST_RESIDENT_PER_LIVE = 7;

  private static final long JVM_BYTES = 400 * MIB;

  private ChurnRun() {}

  /**
   * Carries out a plan.
   *
   * @throws IOException if there is not enough memory, or a library is missing
   */
  public static ChurnMeasurement run(ChurnPlan plan, HeapLibraries libraries, Watcher watcher)
      throws IOException, InterruptedException {
    checkMemory(plan);
    List<ChurnWork> works = plan.works();
    Rounds<ChurnWork, ChurnResult> rounds =
        Rounds.once(
            works,
            (work, _) -> {
              String kind = work.kind().label();
              int countThreads = work.countThreads();
              String step =
                  "%s, %d threads (%d of %d)"
                      .formatted(kind, countThreads, works.indexOf(work) + 1, works.size());
              watcher.at("churn", step, 0);
              return PeerProcess.child(
                      "churn",
                      "allocator=%s, threads=%d".formatted(kind, countThreads),
                      work.kind(),
                      PeerSettings.SHORT_DELAY,
                      libraries)
                  .run(work, ChurnResult.class, seconds -> watcher.at("churn", step, seconds));
            });
    Map<Boolean, List<ChurnResult>> results =
        rounds.all().stream()
            .collect(Collectors.partitioningBy(result -> result.kind() == PeerKind.NONE));
    return new ChurnMeasurement(
        plan,
        results.getOrDefault(false, List.of()),
        results.getOrDefault(true, List.of()),
        List.copyOf(rounds.failures().values()));
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
}
