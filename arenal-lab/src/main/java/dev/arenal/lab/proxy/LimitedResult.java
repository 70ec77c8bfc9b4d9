package dev.arenal.lab.proxy;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Median;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waves in a control group.
 *
 * @param limitBytes of the group
 * @param waves what became of them: where they were run several times, the run in the middle by the
 *     clients that it lost
 * @param runs the end of each run, in their order; empty where there was one
 */
public record LimitedResult(long limitBytes, WavesResult waves, List<Run> runs) {
  /**
   * The end of one of several runs.
   *
   * @param lostCount see {@link WavesResult}
   * @param exitCode the same
   */
  public record Run(@JsonProperty("countLost") int lostCount, @Nullable Integer exitCode) {
    private static Run of(WavesResult waves) {
      return new Run(waves.lostCount(), waves.exitCode());
    }

    private boolean isWhole() {
      return exitCode == null && lostCount == 0;
    }
  }

  /** Keeps a copy. */
  public LimitedResult {
    runs = List.copyOf(runs);
  }

  /** One result of runs, which are not empty. */
  static LimitedResult ofRuns(long limitBytes, List<WavesResult> results) {
    return new LimitedResult(
        limitBytes,
        Median.lower(
            results,
            Comparator.comparingInt(WavesResult::lostCount)
                .thenComparingLong(WavesResult::peakProcessBytes)),
        results.size() == 1 ? List.of() : results.stream().map(Run::of).toList());
  }

  /** How often the waves were run. */
  public int runCount() {
    return Math.max(1, runs.size());
  }

  /** The runs in which the proxy served all clients and lived to the end. */
  public int wholeCount() {
    List<Run> all = runs.isEmpty() ? List.of(Run.of(waves)) : runs;
    return (int) all.stream().filter(Run::isWhole).count();
  }
}
