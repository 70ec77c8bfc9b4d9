package dev.arenal.stats.recorder;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of the last tallies, the oldest overwritten by the newest.
 *
 * <p>Nothing is kept but the slots: sums and maxima are taken over them on request, at most sixty
 * slots, so no maximum outlives the slot that held it. Taken when first used: most recorders do not
 * live for the ten minutes after which the last ring of a row gets its first slot.
 */
final class Ring {
  private static final int FIELDS = 3;

  private final int slotCount;
  private long @Nullable [] slots;
  private int next;

  Ring(int slotCount) {
    this.slotCount = slotCount;
  }

  /** Whether the next slot is the last of a round. */
  boolean isEnding() {
    return next + 1 == slotCount;
  }

  /** Makes the slots, where that has not been done: {@link #add} needs no Java heap then. */
  void prepare() {
    if (slots == null) {
      slots = new long[FIELDS * slotCount];
    }
  }

  /** Overwrites the oldest slot; whether that was the last of a round. */
  boolean add(Tally tally) {
    prepare();
    long[] slots = Objects.requireNonNull(this.slots);
    int at = FIELDS * next;
    slots[at] = tally.sampleCount;
    slots[at + 1] = tally.sum;
    slots[at + 2] = tally.max;
    next = next + 1 == slotCount ? 0 : next + 1;
    return next == 0;
  }

  /** Adds all slots. */
  void addAllTo(Tally tally) {
    addTo(tally, slotCount);
  }

  /** Adds the slots that have been overwritten since the last round ended. */
  void addRoundTo(Tally tally) {
    addTo(tally, next);
  }

  private void addTo(Tally tally, int firstCount) {
    if (slots != null) {
      for (int at = 0; at < FIELDS * firstCount; at += FIELDS) {
        tally.add(slots[at], slots[at + 1], slots[at + 2]);
      }
    }
  }
}
