package dev.arenal.lab.replay;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The time there is for one trace, and what is left out so that it is kept.
 *
 * <p>Every allocator gets its first run. Then those that are compared run twice more, as often as
 * there is time for all of them: a median of three beside a single run, or the faster of two, would
 * favour one. Second forms of one that is compared do not, nor one that takes most of the time.
 */
final class TimeLimit {
  /**
   * The close of a shared arena stops all threads of the process for a moment; so long, at most,
   * was measured.
   */
  private static final long NANOS_PER_SHARED_ARENA = 50_000;

  /**
   * mimalloc looks for a heap that is destroyed in the list of all that are open: 65 s were
   * measured for 80,018 heaps.
   */
  private static final long NANOS_PER_PAIR_OF_HEAPS = 10;

  /** One allocator may take no more than this part of the time of all. */
  private static final int LARGEST_PART = 4;

  private final long mostSeconds;
  private final long startNanos = System.nanoTime();

  /** Of the first run of each. */
  private final Map<AllocatorKind, Long> firstNanos = new EnumMap<>(AllocatorKind.class);

  /** The last run for which {@link #hasTime} was decided. */
  private int decidedRun;

  private boolean hasTime;

  TimeLimit(long mostSeconds) {
    this.mostSeconds = mostSeconds;
  }

  private boolean isNone() {
    return mostSeconds == ReplayOptions.NO_LIMIT_SECONDS;
  }

  /** Why an allocator is left out of a trace altogether, if it is. */
  Optional<String> leftOut(AllocatorKind kind, ReplayProgram program) {
    ArenaTable arenas = program.arenas();
    int arenaCount = arenas.arenaCount();
    long loaderCount = arenas.loaderCount();
    return switch (kind) {
      case JDK_SHARED ->
          leftOut(
              kind, program, arenaCount * NANOS_PER_SHARED_ARENA, "close", arenaCount, "arenas");
      case MIMALLOC_OWNER -> {
        long nanos = loaderCount * loaderCount * NANOS_PER_PAIR_OF_HEAPS;
        yield leftOut(kind, program, nanos, "destroy", loaderCount, "heaps");
      }
      default -> Optional.empty();
    };
  }

  private Optional<String> leftOut(
      AllocatorKind kind, ReplayProgram program, long nanos, String end, long count, String what) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
    if (isNone() || seconds <= mostSeconds / LARGEST_PART) {
      return Optional.empty();
    }
    return Optional.of(
        ("%s is left out of %s: to %s its %,d %s takes about %d s, and there are %d s for"
                + " all allocators (arenal replay %s --allocators %s measures it)")
            .formatted(
                kind.label(),
                program.name(),
                end,
                count,
                what,
                seconds,
                mostSeconds,
                program.name(),
                kind.label()));
  }

  /**
   * Whether there is time for that run of an allocator, the first being number 1, and all runs of a
   * round before the next.
   */
  boolean fits(AllocatorKind kind, int run) {
    if (run == 1 || isNone()) {
      return true;
    }
    if (run % 2 == 0 && run > decidedRun) {
      decidedRun = run;
      long roundNanos =
          firstNanos.keySet().stream().filter(this::runsAgain).mapToLong(this::firstNanos).sum();
      long spentNanos = System.nanoTime() - startNanos;
      hasTime = spentNanos + 2 * roundNanos < TimeUnit.SECONDS.toNanos(mostSeconds);
    }
    return hasTime && runsAgain(kind);
  }

  private boolean runsAgain(AllocatorKind kind) {
    return !kind.isVariant()
        && firstNanos(kind) <= TimeUnit.SECONDS.toNanos(mostSeconds) / LARGEST_PART;
  }

  private long firstNanos(AllocatorKind kind) {
    return firstNanos.getOrDefault(kind, 0L);
  }

  /** Notes how long a run of an allocator took. */
  void took(AllocatorKind kind, long nanos) {
    firstNanos.putIfAbsent(kind, nanos);
  }
}
