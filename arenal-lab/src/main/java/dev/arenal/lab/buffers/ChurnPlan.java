package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.result.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes, threads and operations of a churn.
 *
 * @param kinds the allocators, in the order of the results
 * @param threads the numbers of threads
 * @param operationCount buffers replaced in each run
 * @param runCount how often each allocator and number of threads is run; one in old results
 * @param liveBytes the sum of all live buffers
 * @param sizes what sizes they have
 * @param notes what a reader has to know about the choice; whole lines
 */
@JsonIgnoreProperties(value = "notes", allowSetters = true)
public record ChurnPlan(
    @JsonProperty("allocators") List<PeerKind> kinds,
    List<Integer> threads,
    @JsonProperty("operations") long operationCount,
    @JsonProperty("runs") int runCount,
    long liveBytes,
    BufferSizes sizes,
    List<String> notes) {
  /** The default plan of the command. */
  public static final long USUAL_OPERATIONS = 100_000_000;

  /** The same with {@code --quick}. */
  public static final long QUICK_OPERATIONS = 10_000_000;

  /** Runs of each, an odd number: one is in the middle. */
  public static final int USUAL_RUNS = 3;

  /** The bytes that are live all the time. */
  public static final long USUAL_LIVE_BYTES = 256 << 20;

  /** One alone, one for each core of a small machine, and many more than cores. */
  public static final List<Integer> USUAL_THREADS = List.of(1, 2, 16);

  /** Left out where time is short: each of them runs with another delay too. */
  public static final List<PeerKind> NOT_QUICK =
      List.of(PeerKind.ARENAL_SHORT, PeerKind.MALLOC, PeerKind.JEMALLOC);

  /** Left out of the lab, whose churns are over before a second is. */
  public static final List<PeerKind> NOT_IN_LAB =
      List.of(PeerKind.ARENAL_SHORT, PeerKind.MALLOC_TRIM, PeerKind.JEMALLOC_DECAY);

  private static final long LAB_OPERATIONS = 500_000;
  private static final long LAB_QUICK_OPERATIONS = 250_000;

  private static final int MOST_RUNS = 100;

  /** Threads that a process can start and a person can mean. */
  private static final int MOST_THREADS = 1024;

  /** Fewer are over in milliseconds: such a churn tries the command out. */
  static final long FEWEST_COMPARED_OPERATIONS = 100_000;

  /** What a reader has to know about a choice of allocators and the number of operations. */
  public static List<String> notes(List<String> choice, long operationCount) {
    if (operationCount >= FEWEST_COMPARED_OPERATIONS) {
      return choice;
    }
    List<String> notes = new ArrayList<>(choice);
    notes.add(
        ("so few operations only try the command out: operations=%d; no JVM has its second"
                + " compiler, do not compare the times (expected %d or more)")
            .formatted(operationCount, FEWEST_COMPARED_OPERATIONS));
    return notes;
  }

  /** Keeps copies and checks the figures. */
  public ChurnPlan {
    kinds = List.copyOf(kinds);
    threads = List.copyOf(threads);
    notes = List.copyOf(notes);
    runCount = runCount == 0 ? 1 : runCount; // 0: an old result
    checkRuns(runCount);
    if (operationCount < 1 || kinds.isEmpty() || threads.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing to churn: operations=%d, allocators=%d, threads=%s (expected at least one)"
              .formatted(operationCount, kinds.size(), threads));
    }
    for (int count : threads) {
      checkThreads(count);
      if (liveBytes / count < sizes.mostBytes()) {
        throw new IllegalArgumentException(
            ("live set is too small: liveBytes=%d, threads=%d, mostBytes=%d (expected room for the"
                    + " largest buffer in each thread's share)")
                .formatted(liveBytes, count, sizes.mostBytes()));
      }
    }
  }

  /** Refuses a number of runs that is out of range. */
  public static void checkRuns(int count) {
    Range.check("cannot run that often", "runs", count, 1, MOST_RUNS);
  }

  static void checkThreads(int count) {
    Range.check("number of threads is out of range", "threads", count, 1, MOST_THREADS);
  }

  /** The runs of a round: for each number of threads all allocators, the harness as the last. */
  List<ChurnWork> works() {
    List<ChurnWork> works = new ArrayList<>();
    for (int threadCount : threads) {
      for (PeerKind kind : kinds) {
        if (kind != PeerKind.NONE) {
          works.add(new ChurnWork(kind, threadCount, operationCount, liveBytes, sizes));
        }
      }
      works.add(new ChurnWork(PeerKind.NONE, threadCount, operationCount, liveBytes, sizes));
    }
    return works;
  }

  /** Short enough to be one of many experiments. */
  public static ChurnPlan lab(boolean isQuick, Choice<PeerKind> choice) {
    return new ChurnPlan(
        choice.kinds(),
        isQuick ? List.of(2) : List.of(1, 16),
        isQuick ? LAB_QUICK_OPERATIONS : LAB_OPERATIONS,
        1,
        USUAL_LIVE_BYTES,
        BufferSizes.USUAL,
        choice.notes());
  }
}
