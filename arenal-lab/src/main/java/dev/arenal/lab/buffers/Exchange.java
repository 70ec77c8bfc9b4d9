package dev.arenal.lab.buffers;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How threads hand buffers to each other: part of all live buffers lies here in batches, and a
 * thread that leaves a batch takes another one in its place, left by another thread.
 *
 * <p>Nobody waits for anybody. It holds enough for a thread that has the processor to itself for a
 * while, as is usual where there are more threads than processors; one that finds nothing but its
 * own gets back what it left.
 */
final class Exchange {
  /** So many places are looked at for the batch of another thread. */
  private static final int MOST_LOOKS = 8;

  private final AtomicReferenceArray<@Nullable Batch> places;

  /** An empty one. */
  Exchange(int countPlaces) {
    this.places = new AtomicReferenceArray<>(countPlaces);
  }

  int countPlaces() {
    return places.length();
  }

  /** Puts a batch into a place, in the beginning. */
  void put(int place, Batch batch) {
    places.set(place, batch);
  }

  /** Takes what lies in a place, in the end. */
  @Nullable Batch clear(int place) {
    return places.getAndSet(place, null);
  }

  /**
   * Leaves a batch and takes another.
   *
   * @param random decides where to look
   * @return one of another thread where there is one, else {@code batch} itself
   */
  Batch swap(int thread, Batch batch, long random) {
    batch.setSender(thread);
    int start = (int) (((random & 0xFFFF_FFFFL) * places.length()) >>> Integer.SIZE);
    for (int i = 0; i < MOST_LOOKS; i++) {
      int place = (start + i) % places.length();
      Batch other = places.getPlain(place);
      if (other != null && other.sender() != thread && places.compareAndSet(place, other, batch)) {
        return other;
      }
    }
    return batch;
  }
}
