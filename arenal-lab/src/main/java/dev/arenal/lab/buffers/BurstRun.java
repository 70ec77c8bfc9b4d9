package dev.arenal.lab.buffers;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

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
  private final Watcher watcher;
  private final AtomicInteger doneCount = new AtomicInteger();

  private BurstRun(BurstPlan plan, HeapLibraries libraries, Watcher watcher) {
    this.libraries = libraries;
    this.plan = plan;
    this.watcher = watcher;
  }

  /**
   * Carries out a plan.
   *
   * @throws IOException if there is not enough memory, or a library is missing
   */
  public static BurstMeasurement run(BurstPlan plan, HeapLibraries libraries, Watcher watcher)
      throws IOException, InterruptedException {
    return new BurstRun(plan, libraries, watcher).run(parallelCount(plan));
  }

  /**
   * Asks this machine.
   *
   * @throws IOException if there is not enough memory
   */
  public static void checkMemory(BurstPlan plan) throws IOException {
    var _ = parallelCount(plan);
  }

  private static int parallelCount(BurstPlan plan) throws IOException {
    return parallelCount(
        plan, AvailableMemory.now().bytes(), Runtime.getRuntime().availableProcessors());
  }

  /** How many processes there is memory for; at least one, or an error. */
  static int parallelCount(BurstPlan plan, long availableBytes, int processorCount)
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
    return (int) Math.min(fitting, (long) PROCESSES_PER_PROCESSOR * processorCount);
  }

  private BurstMeasurement run(int parallelCount) throws IOException, InterruptedException {
    List<BurstWork> works = plan.works();
    int countAll = works.size() * plan.runCount();
    Rounds<BurstWork, BurstResult> rounds =
        Rounds.sideBySide(
            parallelCount, works, plan.runCount(), (work, _) -> runOne(work, countAll));
    return new BurstMeasurement(
        plan,
        rounds.trusted().stream().map(BurstResult::ofRuns).toList(),
        List.copyOf(rounds.failures().values()));
  }

  private BurstResult runOne(BurstWork work, int countAll)
      throws IOException, InterruptedException, ChildFailedException {
    String kind = work.kind().label();
    String step = kind + ", " + Figures.threads(work.threadCount());
    try {
      return child(work, libraries)
          .run(
              work,
              BurstResult.class,
              seconds ->
                  watcher.at(
                      "burst",
                      "%d of %d done, %s".formatted(doneCount.get(), countAll, step),
                      seconds));
    } finally {
      int _ = doneCount.incrementAndGet();
    }
  }

  /**
   * A JVM for one run: cold, as a program's own, so its compilers work beside the load; one that is
   * only tried out does not need the slow one.
   */
  static Child child(BurstWork work, HeapLibraries libraries) throws IOException {
    String details =
        "allocator=%s, threads=%d, survivors=%b"
            .formatted(work.kind().label(), work.threadCount(), work.hasSurvivors());
    return PeerProcess.child("burst", details, work.kind(), work.uncommitDelay(), libraries)
        .flags(work.isCompared() ? List.of() : List.of(PeerProcess.FIRST_COMPILER_FLAG));
  }
}
