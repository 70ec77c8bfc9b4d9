package dev.arenal.lab.replay;

import java.util.List;

/**
 * The options of a replay.
 *
 * @param kinds the allocators, in the order of the results
 * @param runCount how often each one replays a trace
 * @param mostSeconds how long a trace may take: what would not fit is left out, but for the first
 *     run of an allocator, unless it alone would take a large part of it
 * @param isVerifying whether contents are checked, at the cost of figures that mean little
 */
public record ReplayOptions(
    List<AllocatorKind> kinds, int runCount, long mostSeconds, boolean isVerifying) {
  /** Stands for as long as it takes. */
  public static final long NO_LIMIT_SECONDS = Long.MAX_VALUE;

  /** Checks and keeps a copy. */
  public ReplayOptions {
    kinds = List.copyOf(kinds);
    if (runCount < 1) {
      throw new IllegalArgumentException(
          "no runs: runs=%d (expected at least 1)".formatted(runCount));
    }
    if (mostSeconds < 0) {
      throw new IllegalArgumentException(
          "time is negative: seconds=%d (expected 0 or more)".formatted(mostSeconds));
    }
  }
}
