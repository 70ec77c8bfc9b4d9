package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.NativeHeap;

/** A heap in the manner of malloc: buffers are addresses. */
final class HeapPeer implements BufferPeer {
  private final PeerKind kind;
  private final NativeHeap heap = MeasuredHeap.heap();

  HeapPeer(PeerKind kind) {
    this.kind = kind;
  }

  @Override
  public PeerKind kind() {
    return kind;
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
  public boolean hasHandles() {
    return false;
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

  /** Nothing: the heap lives as long as the process. */
  @Override
  public void close() {}
}
