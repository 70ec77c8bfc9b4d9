package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Carries out a plan: one process after another, since their times are compared. Allocators take
 * turns where there are several runs of each.
 */
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
        Rounds.of(
            works,
            plan.runCount(),
            (work, round) -> {
              String kind = work.kind().label();
              int threadCount = work.threadCount();
              String step =
                  "%s, %d threads (%d of %d)"
                      .formatted(
                          kind,
                          threadCount,
                          (round - 1) * works.size() + works.indexOf(work) + 1,
                          plan.runCount() * works.size());
              watcher.at("churn", step, 0);
              return child(work, round, libraries)
                  .run(work, ChurnResult.class, seconds -> watcher.at("churn", step, seconds));
            });
    List<ChurnResult> results = new ArrayList<>();
    List<ChurnResult> controls = new ArrayList<>();
    for (List<ChurnResult> runs : rounds.trusted()) {
      ChurnResult result = ChurnResult.ofRuns(runs);
      (result.kind() == PeerKind.NONE ? controls : results).add(result);
    }
    return new ChurnMeasurement(plan, results, controls, List.copyOf(rounds.failures().values()));
  }

  /**
   * A JVM for one run. Its load is warm when it is measured, so its threads wait for compilers; one
   * that is only tried out does not need the slow one.
   */
  static Child child(ChurnWork work, int round, HeapLibraries libraries) throws IOException {
    String details =
        "allocator=%s, threads=%d, round=%d"
            .formatted(work.kind().label(), work.threadCount(), round);
    return PeerProcess.child("churn", details, work.kind(), PeerSettings.SHORT_DELAY, libraries)
        .flags(
            List.of(
                work.isCompared()
                    ? PeerProcess.COMPILERS_FIRST_FLAG
                    : PeerProcess.FIRST_COMPILER_FLAG));
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
