package dev.arenal.lab.buffers;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How threads hand buffers to each other: part of all live buffers lies here in batches, and a
 * thread that leaves a batch takes another one in its place, left by another thread.
 *
 * <p>No thread waits for another one. It holds enough for a thread that has the processor to itself
 * for a while, as is usual where there are more threads than processors; one that finds nothing but
 * its own gets back what it left.
 *
 * <p>The sum of the bytes that lie here stays near a given one: of the batches at which a thread
 * looks it takes the first that moves the sum towards it. By chance alone the sum, and with it that
 * of all live buffers, would move by a twentieth within milliseconds.
 */
final class Exchange {
  /** So many places are looked at for the batch of another thread. */
  private static final int MOST_LOOKS = 8;

  private final AtomicReferenceArray<@Nullable Batch> places;
  private final long targetBytes;
  private final AtomicLong sizeBytes = new AtomicLong();

  /**
   * An empty one.
   *
   * @param targetBytes what the sum of the buffers in it shall be
   */
  Exchange(int placeCount, long targetBytes) {
    this.places = new AtomicReferenceArray<>(placeCount);
    this.targetBytes = targetBytes;
  }

  /** The sum of the buffers that lie here; a swap that is under way may be missing. */
  long sizeBytes() {
    return sizeBytes.get();
  }

  int placeCount() {
    return places.length();
  }

  /** Puts a batch into a place, in the beginning. */
  void put(int place, Batch batch) {
    places.set(place, batch);
    long _ = sizeBytes.addAndGet(batch.sizeBytes());
  }

  /** Takes what lies in a place, in the end. */
  @Nullable Batch clear(int place) {
    return places.getAndSet(place, null);
  }

  /**
   * Leaves a batch and takes another.
   *
   * @param batch sealed
   * @param random decides where to look
   * @return one of another thread where there is one, else {@code batch} itself
   */
  Batch swap(Batch batch, long random) {
    boolean shallGrow = sizeBytes.get() < targetBytes;
    int start = (int) (((random & 0xFFFF_FFFFL) * places.length()) >>> Integer.SIZE);
    int second = -1;
    for (int i = 0; i < MOST_LOOKS; i++) {
      int place = (start + i) % places.length();
      Batch other = places.getAcquire(place);
      if (other == null || other.sender() == batch.sender()) {
        continue;
      }
      if (batch.sizeBytes() > other.sizeBytes() == shallGrow) {
        if (isSwapped(place, other, batch)) {
          return other;
        }
      } else {
        second = place;
      }
    }
    Batch other = second < 0 ? null : places.getAcquire(second);
    return other != null && other.sender() != batch.sender() && isSwapped(second, other, batch)
        ? other
        : batch;
  }

  private boolean isSwapped(int place, Batch other, Batch batch) {
    long sentBytes = batch.sizeBytes(); // before another thread has it
    if (!places.compareAndSet(place, other, batch)) {
      return false;
    }
    long _ = sizeBytes.addAndGet(sentBytes - other.sizeBytes());
    return true;
  }
}
