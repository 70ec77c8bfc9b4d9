package dev.arenal.lab.replay;

import org.jspecify.annotations.Nullable;

/**
 * The moments of a trace at which allocators are compared, found from its live bytes alone.
 *
 * @param peak the first local maximum before used falls by more than a tenth of it; the maximum if
 *     it never does
 * @param valley the lowest point after the peak and before used rises again by more than a tenth of
 *     the peak; null if used never fell that far
 * @param secondPeak the first local maximum after the valley, by the same rule; null if used never
 *     rose again
 * @param end the end of the trace
 */
record Phases(Phase peak, @Nullable Phase valley, @Nullable Phase secondPeak, Phase end) {

  /**
   * One of these moments.
   *
   * @param operation how many operations are done
   * @param usedBytes the bytes of all live blocks
   * @param blockCount the number of live blocks
   */
  record Phase(long operation, long usedBytes, long blockCount) {}
}
