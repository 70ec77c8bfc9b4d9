package dev.arenal.confined;

import dev.arenal.guard.StackReserve;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of all virtual threads: a table of fixed size, from which a thread takes a slot by one
 * compare-and-set and to which the arena, which remembers it, gives it back.
 *
 * <p>A virtual thread may be anywhere when its arena is closed, and there may be millions, so that
 * neither a slab a thread nor one a carrier would do (and the carrier is not for programs to see).
 * Ids of virtual threads are consecutive, so those that run at the same time mostly begin their
 * search at different slots.
 */
final class SharedSlots {
  /** Slots for each core: see docs/adr/0012. */
  private static final int SLOTS_PER_CORE = 64;

  private static final int MAX_COUNT_SLOTS = 1024;

  /** How many slots a thread looks at before it goes to the JDK. */
  private static final int PROBE_COUNT = 4;

  private static final Slab[] SLOTS = slots(Runtime.getRuntime().availableProcessors());

  private SharedSlots() {}

  static @Nullable Slab take(long threadId) {
    Slab slot = SLOTS[(int) threadId & (SLOTS.length - 1)];
    return slot.tryAcquireVolatile() ? slot : takeOther(threadId);
  }

  private static @Nullable Slab takeOther(long threadId) {
    for (int probe = 0; probe < PROBE_COUNT; probe++) {
      Slab slot = SLOTS[(int) (threadId + probe) & (SLOTS.length - 1)];
      if (slot.tryAcquireVolatile()) {
        return slot;
      }
      if (slot.isEmptyPlain()) {
        StackReserve.ensure();
        if (slot.tryClaimVolatile()) {
          return withMemory(slot);
        }
      }
      if (slot.tryRecover()) {
        return slot;
      }
    }
    return null;
  }

  private static Slab withMemory(Slab slot) {
    try {
      slot.allocate(Pool.SLAB_BYTES, Slab.AVAILABLE_TO_ALL);
      return slot;
    } catch (Throwable e) {
      slot.unclaim();
      throw e;
    }
  }

  /** All slots, in their order, for tests. */
  static List<Slab> all() {
    return List.of(SLOTS);
  }

  /** The size of the table for a number of cores: a power of two. */
  static int slotCount(int cores) {
    int wanted = Math.min(cores * SLOTS_PER_CORE, MAX_COUNT_SLOTS);
    return Integer.highestOneBit(Math.max(wanted - 1, 1)) << 1;
  }

  private static Slab[] slots(int cores) {
    Slab[] slots = new Slab[slotCount(cores)];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slab();
    }
    return slots;
  }
}
