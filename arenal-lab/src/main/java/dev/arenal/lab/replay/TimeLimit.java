package dev.arenal.lab.replay;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The time there is for one trace, and what is left out so that it is kept.
 *
 * <p>Every allocator gets its first run. Then those that are compared run again while there is
 * time; second forms of one that is compared do not.
 */
final class TimeLimit {
  /**
   * The close of a shared arena stops all threads of the process for a moment; so long, at most,
   * was measured.
   */
  private static final long NANOS_PER_SHARED_ARENA = 50_000;

  /** One allocator may take no more than this part of the time of all. */
  private static final int LARGEST_PART = 4;

  private final long mostSeconds;
  private final long startNanos = System.nanoTime();
  private final Map<AllocatorKind, Long> lastNanos = new EnumMap<>(AllocatorKind.class);

  TimeLimit(long mostSeconds) {
    this.mostSeconds = mostSeconds;
  }

  private boolean isNone() {
    return mostSeconds == ReplayOptions.NO_LIMIT_SECONDS;
  }

  /** Why an allocator is left out of a trace altogether, if it is. */
  Optional<String> leftOut(AllocatorKind kind, ReplayProgram program) {
    int arenaCount = program.arenas().arenaCount();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(arenaCount * NANOS_PER_SHARED_ARENA);
    if (isNone() || kind != AllocatorKind.JDK_SHARED || seconds <= mostSeconds / LARGEST_PART) {
      return Optional.empty();
    }
    return Optional.of(
        ("%s is left out of %s: to close its %,d arenas takes about %d s, and the lab has %d s for"
                + " all allocators (arenal replay %s --allocators %s measures it)")
            .formatted(
                kind.label(),
                program.name(),
                arenaCount,
                seconds,
                mostSeconds,
                program.name(),
                kind.label()));
  }

  /** Whether there is time for that run of an allocator, the first being number 1. */
  boolean fits(AllocatorKind kind, int run) {
    if (run == 1 || isNone()) {
      return true;
    }
    long spentNanos = System.nanoTime() - startNanos + lastNanos.getOrDefault(kind, 0L);
    return !kind.isVariant() && TimeUnit.NANOSECONDS.toSeconds(spentNanos) < mostSeconds;
  }

  /** Notes how long a run of an allocator took. */
  void took(AllocatorKind kind, long nanos) {
    lastNanos.put(kind, nanos);
  }
}
