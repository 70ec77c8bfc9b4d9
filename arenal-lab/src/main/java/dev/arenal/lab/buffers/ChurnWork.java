package dev.arenal.lab.buffers;

import static java.util.Objects.requireNonNull;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.process.Work;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One churn with one allocator.
 *
 * @param kind the allocator
 * @param threadCount how many threads share the work
 * @param operationCount buffers replaced, by all threads together
 * @param liveBytes the sum of all live buffers
 * @param sizes what sizes they have
 */
record ChurnWork(
    PeerKind kind, int threadCount, long operationCount, long liveBytes, BufferSizes sizes)
    implements Work<ChurnResult> {
  /** So much that an allocator gives memory back, as it does in the measured run. */
  private static final long WARM_LIVE_BYTES = 64 << 20;

  private static final long WARM_OPERATIONS = 300_000;

  /**
   * A path that is taken once in a million operations, or only with so many pages, is compiled in
   * again when it is first taken: one compilation of the whole loop takes 22 MiB.
   */
  private static final long REHEARSED_OPERATIONS = 5_000_000;

  /** Compilers that take no more than this in a round are at rest. */
  private static final long QUIET_MILLIS = 1;

  /** So many rounds in a row. */
  private static final int QUIET_ROUNDS = 4;

  /** No round is begun later, for an allocator whose code does not come to rest. */
  private static final long MOST_WARM_NANOS = TimeUnit.SECONDS.toNanos(8);

  private PeerSettings settings() {
    if (kind == PeerKind.NONE) {
      // The control writes into a ring: twice what is live, so that it is as cold as live memory.
      long fewest = (long) threadCount * 2 * sizes.mostBytes();
      return new PeerSettings(
          Math.max(fewest, 2 * liveBytes), PeerSettings.SHORT_DELAY, threadCount);
    }
    return PeerSettings.generous(liveBytes, PeerSettings.SHORT_DELAY, threadCount);
  }

  @Override
  public ChurnResult run() throws IOException, InterruptedException {
    PeerProcess.prove(kind);
    int[] drawn = sizes.draw(BufferSizes.COUNT_DRAWN);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      warmUp(drawn, resident);
      PeerProcess.settle(kind, isCompared());
      try (BufferPeer peer = BufferPeer.open(kind, settings())) {
        if (kind == PeerKind.NONE) {
          ((RingPeer) peer).touch();
        }
        Double before = roundTripNanos();
        ChurnResult result =
            new ChurnLoad(this, drawn, peer, resident, resident.residentBytes()).run();
        return result.between(before, roundTripNanos());
      }
    }
  }

  private @Nullable Double roundTripNanos() throws InterruptedException {
    return threadCount == 1 ? null : LineTransfer.roundTripNanos();
  }

  /**
   * The same on a smaller scale, with an allocator that is thrown away, until the compilers are at
   * rest: what they need for the code of both, they have taken before the first look at the
   * resident size. The rule is the same for all allocators. What glibc keeps of it is given back
   * before that look, and where compilers do nothing, they add nothing to what is counted later.
   */
  private void warmUp(int[] drawn, ResidentMemory resident) {
    ChurnWork warm = scaled(WARM_OPERATIONS, WARM_LIVE_BYTES);
    long mostNanos = isCompared() ? MOST_WARM_NANOS : 0;
    int _ = repeatUntilQuiet(() -> warm.compilerMillis(drawn, resident), mostNanos);
    long _ = scaled(REHEARSED_OPERATIONS, liveBytes).compilerMillis(drawn, resident);
  }

  /** Whether its times say something of the allocator. */
  boolean isCompared() {
    return operationCount >= ChurnPlan.FEWEST_COMPARED_OPERATIONS;
  }

  private ChurnWork scaled(long mostOperations, long mostLiveBytes) {
    return new ChurnWork(
        kind,
        threadCount,
        Math.min(operationCount, mostOperations),
        Math.min(liveBytes, mostLiveBytes),
        sizes);
  }

  /** Runs this with an allocator that is thrown away. */
  private long compilerMillis(int[] drawn, ResidentMemory resident) {
    try (BufferPeer peer = BufferPeer.open(kind, settings())) {
      return requireNonNull(new ChurnLoad(this, drawn, peer, resident, 0).run().compilerMillis());
    }
  }

  /**
   * Runs rounds until compilers were at rest in some of them in a row.
   *
   * @param round runs one and returns the milliseconds that compilers took in it
   * @param mostNanos no round is begun later than that, but for the first
   * @return the number of rounds
   */
  static int repeatUntilQuiet(LongSupplier round, long mostNanos) {
    long startNanos = System.nanoTime();
    int rounds = 0;
    int quietRounds = 0;
    do {
      quietRounds = round.getAsLong() <= QUIET_MILLIS ? quietRounds + 1 : 0;
      rounds++;
    } while (quietRounds < QUIET_ROUNDS && System.nanoTime() - startNanos < mostNanos);
    return rounds;
  }
}
