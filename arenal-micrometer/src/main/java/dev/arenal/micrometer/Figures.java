package dev.arenal.micrometer;

/**
 * The figures of one allocator, or of several, at one moment. Sizes are in bytes; a figure that the
 * kind does not have is 0.
 *
 * @param limitBytes {@link Long#MAX_VALUE} if there is none
 * @param stallMaxNanos the longest wait of the last ten minutes
 * @param damaged how many of them have stopped serving
 */
record Figures(
    long usedBytes,
    long committedBytes,
    long freeBytes,
    long cachedBytes,
    long limitBytes,
    long uncommittedBytes,
    long failures,
    long stalls,
    long stallNanos,
    long stallMaxNanos,
    int damaged) {
  static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Allocators of one name have the same meters. */
  Figures plus(Figures other) {
    long limitSum = limitBytes + other.limitBytes;
    return new Figures(
        usedBytes + other.usedBytes,
        committedBytes + other.committedBytes,
        freeBytes + other.freeBytes,
        cachedBytes + other.cachedBytes,
        limitSum < 0 ? Long.MAX_VALUE : limitSum,
        uncommittedBytes + other.uncommittedBytes,
        failures + other.failures,
        stalls + other.stalls,
        stallNanos + other.stallNanos,
        Math.max(stallMaxNanos, other.stallMaxNanos),
        damaged + other.damaged);
  }

  /** The meter of a limit stays when the limit is removed. */
  double limitOrInfinity() {
    return limitBytes == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : limitBytes;
  }

  /** The figures that stay after a close: the counts, so that a counter never falls. */
  Figures counted() {
    return new Figures(0, 0, 0, 0, 0, uncommittedBytes, failures, stalls, stallNanos, 0, 0);
  }
}
