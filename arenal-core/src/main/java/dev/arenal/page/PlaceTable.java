package dev.arenal.page;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for places, so that lists of buffers are lists of numbers: a reference that is written
 * into an old array costs a memory fence in some collectors.
 */
final class PlaceTable {
  /** Written under the monitor; an element never changes while somebody has its number. */
  private volatile @Nullable Place[] places = new @Nullable Place[16];

  /** Numbers that are free; a stack. Guarded by the monitor, as all below. */
  private int[] free = new int[16];

  private int countFree;
  private int countEver;

  /** Gives a place its number; where the Java heap is full, nothing has changed. */
  synchronized void add(Place place) {
    if (countFree == 0 && countEver == places.length) {
      // Room for all numbers to come free: that must not need the heap.
      int[] longer = Arrays.copyOf(free, 2 * countEver);
      places = Arrays.copyOf(places, 2 * countEver);
      free = longer;
    }
    place.id = countFree > 0 ? free[--countFree] : countEver++;
    places[place.id] = place;
  }

  /** Its number may be another's from now on; no effect if it has none. */
  synchronized void remove(Place place) {
    if (place.id >= 0) {
      places[place.id] = null;
      free[countFree++] = place.id;
      place.id = -1;
    }
  }

  /** The place with that number; null if the calling thread has not heard of it yet. */
  @Nullable Place getRacy(int id) {
    @Nullable Place[] known = places;
    return id < known.length ? known[id] : null;
  }
}
