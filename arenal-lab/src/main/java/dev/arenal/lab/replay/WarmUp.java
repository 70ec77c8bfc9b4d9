package dev.arenal.lab.replay;

import dev.arenal.lab.heap.ResidentMemory;
import java.util.concurrent.TimeUnit;

/**
 * The rounds before the measured replay: until the compilers, which work in the foreground, have
 * had next to nothing to do for some rounds in a row. The same rule for every allocator.
 *
 * <p>An allocator in Java has paths that are taken once in a thousand allocations. They come to the
 * compilers only after some rounds; compiled during the measured replay, they would cost it time,
 * and the compiler's memory, some MiB, would count as its own.
 */
final class WarmUp {
  /** Code that runs at each sample comes to the last compiler in the seventh round. */
  private static final int LEAST_ROUNDS = 15;

  private static final int MOST_ROUNDS = 40;

  /** A round in which compilers take no more than this was quiet. */
  private static final long QUIET_MILLIS = 1;

  /** So many in a row are enough. */
  private static final int QUIET_ROUNDS = 5;

  /**
   * A large trace has done in a few rounds what a small one does in many. Elastic arenas were
   * settled after four seconds on one machine, and on a slower one after eight: with a limit of
   * four, a third of their time there was the compilers'.
   */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(16);

  /** The whole trace, unless it is a giant. */
  private static final long ALLOCATION_COUNT = 8_000_000;

  /** Each operation of malloc and of the JDK takes the same few paths: a small part shows all. */
  private static final long COUNT_ALLOCATIONS_FEW_PATHS = 500_000;

  private WarmUp() {}

  static void run(
      AllocatorKind kind, ReplayProgram whole, boolean isVerifying, ResidentMemory resident) {
    ReplayProgram program =
        ThinnedProgram.of(whole, kind.isElastic() ? ALLOCATION_COUNT : COUNT_ALLOCATIONS_FEW_PATHS);
    SteppedReplay replay = new SteppedReplay(program, isVerifying, resident);
    long startNanos = System.nanoTime();
    int quietRounds = 0;
    for (int round = 1; round <= MOST_ROUNDS; round++) {
      try (ReplayAllocator allocator = ReplayAllocator.open(kind, program)) {
        replay.run(allocator, 0);
      }
      quietRounds = replay.compilerMillis() <= QUIET_MILLIS ? quietRounds + 1 : 0;
      boolean isSettled = round >= LEAST_ROUNDS && quietRounds >= QUIET_ROUNDS;
      boolean isLate = round >= 2 && System.nanoTime() - startNanos > MOST_NANOS;
      if (isSettled || isLate) {
        return;
      }
    }
  }
}
