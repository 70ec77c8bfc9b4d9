package dev.arenal.lab.report;

import dev.arenal.lab.buffers.PeerResult;
import dev.arenal.lab.figure.Figures;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The words about a peer that the tables of churn and burst share. */
final class PeerWords {
  /** Explains the columns. */
  static final String EXPLANATION =
      "Zeroes: whether memory is zeroed when it is handed out. Delay: how long free memory is"
          + " kept before it goes back by itself, as the allocator is told or says; a dash where"
          + " there is no such setting, or no record of it. p99.9: one call in a thousand is"
          + " longer; the first write into the buffer, where pages may fault, is not in it.";

  private static final double MILLIS_PER_SECOND = 1e3;

  private PeerWords() {}

  static String zeroes(PeerResult result) {
    return result.kind().isZeroed() ? "yes" : "no";
  }

  /** The time that one allocation in a thousand is longer than. */
  static String p999(PeerResult result) {
    Long nanos = result.p999AllocationNanos();
    return nanos == null ? Figures.NONE : Figures.count(nanos);
  }

  /** In seconds, with a digit behind the point where it is needed. */
  static String delay(@Nullable Duration delay) {
    if (delay == null) {
      return Figures.NONE;
    }
    long millis = delay.toMillis();
    return (millis % 1000 == 0
            ? String.valueOf(millis / 1000)
            : Figures.format("%.1f", millis / MILLIS_PER_SECOND))
        + " s";
  }
}
