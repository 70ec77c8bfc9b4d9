package dev.arenal.lab.replay;

import java.util.List;

/**
 * What to replay with.
 *
 * @param kinds the allocators, in the order of the results
 * @param countRuns how often each one replays a trace
 * @param isVerifying whether contents are checked, at the cost of figures that mean little
 */
public record ReplayOptions(List<AllocatorKind> kinds, int countRuns, boolean isVerifying) {
  /** Checks and keeps a copy. */
  public ReplayOptions {
    kinds = List.copyOf(kinds);
    if (countRuns < 1) {
      throw new IllegalArgumentException(
          "no runs: runs=%d (expected at least 1)".formatted(countRuns));
    }
  }
}
