package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.heap.TemporaryFiles;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;

/** The program of a child process: one burst with one allocator. */
public final class BurstChild {
  private static final long WARM_BYTES = 32 << 20;

  private BurstChild() {}

  /**
   * Takes the words of a {@link BurstSpec}, the allocator's library if it has one, and the file for
   * the result.
   */
  public static void main(String[] words) throws InterruptedException {
    Path result = Path.of(words[words.length - 1]);
    try {
      BurstSpec spec = BurstSpec.of(new ChildWords(words));
      QuietProcess.chooseHeap(spec.kind(), words);
      BurstOutcome outcome = measure(spec);
      TemporaryFiles.write(result, () -> Json.write(result, outcome));
    } catch (IOException | IllegalStateException e) {
      QuietProcess.explain(e);
      System.exit(1);
    }
  }

  private static BurstOutcome measure(BurstSpec spec) throws IOException, InterruptedException {
    int[] sizes = spec.sizes().draw(BufferSizes.COUNT_DRAWN);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      BurstSpec warm = spec.warmUp(Math.min(spec.burstBytes(), WARM_BYTES));
      try (BufferPeer peer = BufferPeers.open(spec.kind(), warm.settings())) {
        var _ = new BurstLoad(warm, sizes, peer, resident, 0).run();
      }
      QuietProcess.settle();
      try (BufferPeer peer = BufferPeers.open(spec.kind(), spec.settings())) {
        return new BurstLoad(spec, sizes, peer, resident, resident.residentBytes()).run();
      }
    }
  }
}
