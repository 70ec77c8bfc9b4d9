package dev.arenal.lab.histogram;

import dev.arenal.agent.histogram.HistogramData;
import dev.arenal.agent.histogram.HistogramData.PoolShare;
import dev.arenal.lab.figure.Figures;

/**
 * A pool size for a program: the smallest that does nearly all that the largest would do. A larger
 * one costs every thread its memory and serves hardly anything more.
 *
 * @param sizeBytes the size; 0 if there is nothing to pool
 * @param sentence the size and what it would do, in words
 */
public record Recommendation(int sizeBytes, String sentence) {
  /** Of what the largest pool serves; of arenas and of allocations. */
  private static final double ENOUGH = 0.99;

  private static final double PERCENT = 100;

  /** For these figures. */
  public static Recommendation of(HistogramData data) {
    if (data.allocations() == 0) {
      return new Recommendation(
          0, "No closed arena allocated anything at the sites counted: there is nothing to pool.");
    }
    PoolShare largest = data.pools().getLast();
    if (largest.allocations() == 0) {
      return new Recommendation(
          0,
          Figures.format(
              "No pool up to %,d bytes would serve any allocation of this program.",
              largest.sizeBytes()));
    }
    for (PoolShare pool : data.pools()) {
      if (pool.arenas() >= ENOUGH * largest.arenas()
          && pool.allocations() >= ENOUGH * largest.allocations()) {
        return new Recommendation(pool.sizeBytes(), sentence(data, pool, largest));
      }
    }
    throw new IllegalStateException("the largest pool does not do what the largest pool does");
  }

  private static String sentence(HistogramData data, PoolShare pool, PoolShare largest) {
    String larger =
        pool.sizeBytes() == largest.sizeBytes()
            ? "that is the largest there is"
            : Figures.format(
                "one of %,d bytes %.2f %% and %.2f %%",
                largest.sizeBytes(),
                percent(largest.arenas(), data.arenasClosed()),
                percent(largest.allocations(), data.allocations()));
    return Figures.format(
        "A pool of %,d bytes would serve %.2f %% of the arenas and %.2f %% of the allocations; %s."
            + " -Darenal.confined.poolSizeBytes=%d sets it.",
        pool.sizeBytes(),
        percent(pool.arenas(), data.arenasClosed()),
        percent(pool.allocations(), data.allocations()),
        larger,
        pool.sizeBytes());
  }

  /** A part of a whole in percent. */
  public static double percent(long part, long whole) {
    return whole == 0 ? 0 : PERCENT * part / whole;
  }
}
