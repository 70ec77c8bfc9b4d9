package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.heap.TemporaryFiles;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;

/** The program of a child process: one churn with one allocator. */
public final class ChurnChild {
  private static final long WARM_LIVE_BYTES = 8 << 20;
  private static final long WARM_OPERATIONS = 300_000;

  private ChurnChild() {}

  /**
   * Takes the words of a {@link ChurnSpec}, the allocator's library if it has one, and the file for
   * the result.
   */
  public static void main(String[] words) throws InterruptedException {
    Path result = Path.of(words[words.length - 1]);
    try {
      ChurnSpec spec = ChurnSpec.of(new ChildWords(words));
      QuietProcess.chooseHeap(spec.kind(), words);
      ChurnOutcome outcome = measure(spec);
      TemporaryFiles.write(result, () -> Json.write(result, outcome));
    } catch (IOException | IllegalStateException e) {
      QuietProcess.explain(e);
      System.exit(1);
    }
  }

  private static ChurnOutcome measure(ChurnSpec spec) throws IOException, InterruptedException {
    int[] sizes = spec.sizes().draw(BufferSizes.COUNT_DRAWN);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      warmUp(spec, sizes, resident);
      QuietProcess.settle();
      try (BufferPeer peer = BufferPeers.open(spec.kind(), spec.settings())) {
        if (spec.kind() == PeerKind.NONE) {
          ((RingPeer) peer).touch();
        }
        return new ChurnLoad(spec, sizes, peer, resident, resident.residentBytes()).run();
      }
    }
  }

  /**
   * The same on a small scale, with an allocator that is thrown away: what the compilers need for
   * the code of both, they have taken before the first look at the resident size.
   */
  private static void warmUp(ChurnSpec spec, int[] sizes, ResidentMemory resident) {
    ChurnSpec warm =
        spec.with(
            Math.min(spec.countOperations(), WARM_OPERATIONS),
            Math.min(spec.liveBytes(), WARM_LIVE_BYTES));
    try (BufferPeer peer = BufferPeers.open(spec.kind(), warm.settings())) {
      var _ = new ChurnLoad(warm, sizes, peer, resident, 0).run();
    }
  }
}
