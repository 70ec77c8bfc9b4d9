package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.heap.Choice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes and threads of a burst.
 *
 * @param kinds the allocators, in the order of the results
 * @param threads the numbers of threads
 * @param survivors without and with buffers that stay, or one of both
 * @param runCount how often each is run; one in old results
 * @param burstBytes the sum of all buffers
 * @param idle how long nothing happens after the last free
 * @param uncommitDelay how long those keep free memory that are told to give it back soon: Arenal
 *     with a short delay, malloc that is trimmed, jemalloc with a short decay
 * @param sizes what sizes the buffers have
 * @param notes what a reader has to know about the choice; whole lines
 */
@JsonIgnoreProperties(value = "notes", allowSetters = true)
public record BurstPlan(
    @JsonProperty("allocators") List<PeerKind> kinds,
    List<Integer> threads,
    List<Boolean> survivors,
    @JsonProperty("runs") int runCount,
    long burstBytes,
    @JsonProperty("idleSeconds") Duration idle,
    @JsonProperty("uncommitDelaySeconds") Duration uncommitDelay,
    BufferSizes sizes,
    List<String> notes) {
  /** A gigabyte. */
  public static final long USUAL_BYTES = 1L << 30;

  /** One, one for each core of a small machine, and many more than cores. */
  public static final List<Integer> USUAL_THREADS = List.of(1, 2, 64);

  /** Longer than any of the peers waits by default (jemalloc: ten seconds). */
  public static final Duration USUAL_IDLE = Duration.ofSeconds(15);

  /** Idle time of a shortened form; some peers would wait longer before they do something. */
  public static final Duration QUICK_IDLE = Duration.ofSeconds(5);

  /** The delay of allocators that are to give memory back soon. */
  public static final Duration USUAL_DELAY = PeerSettings.SHORT_DELAY;

  /**
   * Left out where time is short: others that keep their memory as these do stay in, and the best
   * form of each rival.
   */
  public static final List<PeerKind> NOT_QUICK =
      List.of(PeerKind.NETTY_POOLED, PeerKind.MALLOC, PeerKind.JEMALLOC);

  /** Without and with. */
  public static final List<Boolean> BOTH = List.of(false, true);

  private static final long LAB_BYTES = 512 << 20;
  private static final long LAB_QUICK_BYTES = 256 << 20;

  /** Not less than five: so often HotSpot frees what its compilers keep for the next method. */
  private static final Duration LAB_IDLE = Duration.ofSeconds(6);

  private static final Duration LAB_DELAY = Duration.ofMillis(500);

  /** Less is over in milliseconds: such a burst tries the command out. */
  static final long FEWEST_COMPARED_BYTES = 64 << 20;

  /** What a reader has to know about a choice of allocators and the size of the burst. */
  public static List<String> notes(List<String> choice, long burstBytes) {
    if (burstBytes >= FEWEST_COMPARED_BYTES) {
      return choice;
    }
    List<String> notes = new ArrayList<>(choice);
    notes.add(
        ("so small a burst only tries the command out: burstBytes=%d; no JVM has its second"
                + " compiler, do not compare the figures (expected %d or more)")
            .formatted(burstBytes, FEWEST_COMPARED_BYTES));
    return notes;
  }

  /** Keeps copies and checks the figures. */
  public BurstPlan {
    kinds = List.copyOf(kinds);
    threads = List.copyOf(threads);
    survivors = List.copyOf(survivors);
    notes = List.copyOf(notes);
    runCount = runCount == 0 ? 1 : runCount; // 0: an old result
    ChurnPlan.checkRuns(runCount);
    if (kinds.isEmpty() || threads.isEmpty() || survivors.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing to burst: allocators=%d, threads=%s (expected at least one)"
              .formatted(kinds.size(), threads));
    }
    if (idle.isNegative() || uncommitDelay.isNegative()) {
      throw new IllegalArgumentException(
          "time is negative: idle=%s, uncommitDelay=%s (expected zero or more)"
              .formatted(idle, uncommitDelay));
    }
    for (int count : threads) {
      ChurnPlan.checkThreads(count);
      if (burstBytes / count < sizes.mostBytes()) {
        throw new IllegalArgumentException(
            ("burst is too small: burstBytes=%d, threads=%d, mostBytes=%d (expected room for the"
                    + " largest buffer in each thread's share)")
                .formatted(burstBytes, count, sizes.mostBytes()));
      }
    }
  }

  /** A round: a run for each number of threads, without and with survivors, and allocator. */
  List<BurstWork> works() {
    List<BurstWork> works = new ArrayList<>();
    for (int threadCount : threads) {
      for (boolean hasSurvivors : survivors) {
        for (PeerKind kind : kinds) {
          works.add(
              new BurstWork(
                  kind, threadCount, burstBytes, hasSurvivors, idle, uncommitDelay, sizes));
        }
      }
    }
    return works;
  }

  /** Short enough to be one of many experiments. */
  public static BurstPlan lab(boolean isQuick, Choice<PeerKind> choice) {
    return new BurstPlan(
        choice.kinds(),
        List.of(2),
        BOTH,
        1,
        isQuick ? LAB_QUICK_BYTES : LAB_BYTES,
        LAB_IDLE,
        LAB_DELAY,
        BufferSizes.USUAL,
        choice.notes());
  }
}
