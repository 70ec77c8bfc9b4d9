package dev.arenal.stats.recorder;

import dev.arenal.stats.Window;

/** A number of samples, their sum and the largest: what a slot of a ring and a window are. */
final class Tally {
  long sampleCount;
  long sum;
  long max;

  void clear() {
    sampleCount = 0;
    sum = 0;
    max = 0;
  }

  /** Samples are never negative, so a sum that has wrapped round is negative. */
  void add(long otherCount, long otherSum, long otherMax) {
    sampleCount += otherCount;
    sum += otherSum;
    if (sum < 0) {
      sum = Long.MAX_VALUE;
    }
    max = Math.max(max, otherMax);
  }

  void add(Tally other) {
    add(other.sampleCount, other.sum, other.max);
  }

  Window toWindow() {
    return new Window(sampleCount == 0 ? 0 : sum / sampleCount, max, sum, sampleCount);
  }
}
