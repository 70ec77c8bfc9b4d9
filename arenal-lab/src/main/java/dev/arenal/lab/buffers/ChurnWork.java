package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.process.Work;
import java.io.IOException;

/**
 * One churn with one allocator.
 *
 * @param kind the allocator
 * @param countThreads how many threads share the work
 * @param countOperations buffers replaced, by all threads together
 * @param liveBytes the sum of all live buffers
 * @param sizes what sizes they have
 */
record ChurnWork(
    PeerKind kind, int countThreads, long countOperations, long liveBytes, BufferSizes sizes)
    implements Work<ChurnResult> {
  private static final long WARM_LIVE_BYTES = 8 << 20;
  private static final long WARM_OPERATIONS = 300_000;

  private PeerSettings settings() {
    if (kind == PeerKind.NONE) {
      // The control writes into a ring: twice what is live, so that it is as cold as live memory.
      long fewest = (long) countThreads * 2 * sizes.mostBytes();
      return new PeerSettings(
          Math.max(fewest, 2 * liveBytes), PeerSettings.SHORT_DELAY, countThreads);
    }
    return PeerSettings.generous(liveBytes, PeerSettings.SHORT_DELAY, countThreads);
  }

  @Override
  public ChurnResult run() throws IOException, InterruptedException {
    PeerProcess.prove(kind);
    int[] drawn = sizes.draw(BufferSizes.COUNT_DRAWN);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      warmUp(drawn, resident);
      PeerProcess.settle(kind);
      try (BufferPeer peer = BufferPeers.open(kind, settings())) {
        if (kind == PeerKind.NONE) {
          ((RingPeer) peer).touch();
        }
        return new ChurnLoad(this, drawn, peer, resident, resident.residentBytes()).run();
      }
    }
  }

  /**
   * The same on a small scale, with an allocator that is thrown away: what the compilers need for
   * the code of both, they have taken before the first look at the resident size.
   */
  private void warmUp(int[] drawn, ResidentMemory resident) {
    ChurnWork warm =
        new ChurnWork(
            kind,
            countThreads,
            Math.min(countOperations, WARM_OPERATIONS),
            Math.min(liveBytes, WARM_LIVE_BYTES),
            sizes);
    try (BufferPeer peer = BufferPeers.open(kind, warm.settings())) {
      var _ = new ChurnLoad(warm, drawn, peer, resident, 0).run();
    }
  }
}
