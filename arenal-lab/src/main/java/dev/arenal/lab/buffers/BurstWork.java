package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.process.Work;
import java.io.IOException;
import java.time.Duration;

/**
 * One burst with one allocator.
 *
 * @param kind the allocator
 * @param threadCount how many threads share the burst
 * @param burstBytes the sum of all buffers
 * @param hasSurvivors whether one buffer in each megabyte stays
 * @param idle how long nothing happens after the last free
 * @param uncommitDelay how long those keep free memory that are told to give it back soon
 * @param sizes what sizes the buffers have
 */
record BurstWork(
    PeerKind kind,
    int threadCount,
    long burstBytes,
    boolean hasSurvivors,
    Duration idle,
    Duration uncommitDelay,
    BufferSizes sizes)
    implements Work<BurstResult> {
  private static final long WARM_BYTES = 32 << 20;

  @Override
  public BurstResult run() throws IOException, InterruptedException {
    PeerProcess.prove(kind);
    int[] drawn = sizes.draw(BufferSizes.COUNT_DRAWN);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      long warmBytes = Math.min(burstBytes, WARM_BYTES);
      BurstWork warm =
          new BurstWork(
              kind, threadCount, warmBytes, hasSurvivors, Duration.ZERO, uncommitDelay, sizes);
      try (BufferPeer peer = warm.open()) {
        var _ = new BurstLoad(warm, drawn, peer, resident, 0).run();
      }
      PeerProcess.settle(kind, true);
      try (BufferPeer peer = open()) {
        return new BurstLoad(this, drawn, peer, resident, resident.residentBytes()).run();
      }
    }
  }

  /** Whether its figures say something of the allocator. */
  boolean isCompared() {
    return burstBytes >= BurstPlan.FEWEST_COMPARED_BYTES;
  }

  private BufferPeer open() {
    return BufferPeer.open(kind, PeerSettings.generous(burstBytes, uncommitDelay, threadCount));
  }
}
