package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.NativeHeap;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A heap in the manner of malloc: buffers are addresses. */
final class HeapPeer implements BufferPeer {
  private final NativeHeap heap = MeasuredHeap.heap();
  private final @Nullable Duration delay;

  /** Makes sure that a heap which is told to give memory back has understood it. */
  HeapPeer(PeerKind kind, Duration shortDelay) {
    this.delay = kind == PeerKind.MALLOC_TRIM ? shortDelay : heap.decay();
    if (kind == PeerKind.JEMALLOC_DECAY && !(shortDelay.equals(delay) && heap.hasThread())) {
      throw new IllegalStateException(
          ("heap has not taken its settings: library=%s, decay=%s, thread=%b (expected %s and a"
                  + " thread, as %s says; a build without background threads cannot)")
              .formatted(
                  heap.library(),
                  delay,
                  heap.hasThread(),
                  shortDelay,
                  HeapLibraries.JEMALLOC_SETTINGS));
    }
  }

  @Override
  public long allocate(Slots slots, int index, int sizeBytes) {
    return MeasuredHeap.malloc(sizeBytes);
  }

  @Override
  public void free(Slots slots, int index) {
    MeasuredHeap.free(slots.address(index));
  }

  @Override
  public @Nullable Duration delay() {
    return delay;
  }

  /** Also what a thread keeps: only the thread itself can give that back. */
  @Override
  public void trimThread() {
    heap.settle();
  }

  @Override
  public boolean trim() {
    heap.settle();
    return true;
  }

  @Override
  public String library() {
    return heap.library();
  }
}
