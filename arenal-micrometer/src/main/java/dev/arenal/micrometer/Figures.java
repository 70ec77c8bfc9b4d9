package dev.arenal.micrometer;

/**
 * The figures of one allocator, or of several, at one moment. Sizes are in bytes; a figure that the
 * kind does not have is 0.
 *
 * @param limitBytes the most that an owner may have by its own settings, or a group by those and
 *     its budgets; {@link Long#MAX_VALUE} if there is no limit
 * @param stallMaxNanos the longest wait of the last ten minutes
 * @param waitingThreads threads that wait for memory at this moment
 * @param damaged how many of them have stopped serving
 */
record Figures(
    long usedBytes,
    long committedBytes,
    long freeBytes,
    long wasteBytes,
    long cachedBytes,
    long limitBytes,
    long uncommittedBytes,
    long failures,
    long stalls,
    long stallNanos,
    long stallMaxNanos,
    int waitingThreads,
    int damaged) {
  static final Figures NONE = new Figures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Allocators of one name have the same meters. */
  Figures plus(Figures other) {
    return new Figures(
        usedBytes + other.usedBytes,
        committedBytes + other.committedBytes,
        freeBytes + other.freeBytes,
        wasteBytes + other.wasteBytes,
        cachedBytes + other.cachedBytes,
        sum(limitBytes, other.limitBytes),
        uncommittedBytes + other.uncommittedBytes,
        failures + other.failures,
        stalls + other.stalls,
        stallNanos + other.stallNanos,
        Math.max(stallMaxNanos, other.stallMaxNanos),
        waitingThreads + other.waitingThreads,
        damaged + other.damaged);
  }

  /** The same with another limit. */
  Figures withLimit(long newLimitBytes) {
    return new Figures(
        usedBytes,
        committedBytes,
        freeBytes,
        wasteBytes,
        cachedBytes,
        newLimitBytes,
        uncommittedBytes,
        failures,
        stalls,
        stallNanos,
        stallMaxNanos,
        waitingThreads,
        damaged);
  }

  /** The sum of two limits; none if one of them is none. */
  static long sum(long limitBytes, long otherBytes) {
    long sumBytes = limitBytes + otherBytes;
    return sumBytes < 0 ? Long.MAX_VALUE : sumBytes;
  }

  /** The meter of a limit stays when the limit is removed. */
  double limitOrInfinity() {
    return limitBytes == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : limitBytes;
  }

  /** The figures that stay after a close: the counts, so that a counter never falls. */
  Figures counted() {
    return new Figures(0, 0, 0, 0, 0, 0, uncommittedBytes, failures, stalls, stallNanos, 0, 0, 0);
  }
}
