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
 *
 * <p>A slot has no memory before it is first taken. A search begins in the first part of the table,
 * whose size depends on the cores, and goes on in parts as large as all before them. So where
 * threads come and go with an arena each, and few at a time, only the first part has memory, and a
 * crowd of them may use the whole table.
 */
final class SharedSlots {
  /** Slots in the first part for each core: see docs/adr/0012. */
  private static final int SLOTS_PER_CORE = 64;

  /** A power of two. */
  private static final int SLOT_COUNT = 1024;

  /** How many slots of each part a thread looks at before it goes on. */
  private static final int PROBE_COUNT = 4;

  private static final int FIRST_COUNT = firstCount(Runtime.getRuntime().availableProcessors());

  private static final Slab[] SLOTS = slots();

  private SharedSlots() {}

  static @Nullable Slab take(long threadId) {
    Slab slot = SLOTS[(int) threadId & (FIRST_COUNT - 1)];
    return slot.tryAcquireVolatile() ? slot : takeOther(threadId);
  }

  private static @Nullable Slab takeOther(long threadId) {
    int begin = 0;
    int count = FIRST_COUNT;
    while (begin < SLOT_COUNT) {
      for (int probe = 0; probe < PROBE_COUNT; probe++) {
        Slab slot = SLOTS[begin + ((int) (threadId + probe) & (count - 1))];
        if (tryTake(slot)) {
          return slot;
        }
      }
      begin += count;
      count = begin;
    }
    return null;
  }

  /** Takes a slot if it is free, and gives it memory if it has none. */
  private static boolean tryTake(Slab slot) {
    // A look first: a compare-and-set that fails takes the cache line away from its user.
    if (slot.isAvailableOpaque() && slot.tryAcquireVolatile()) {
      return true;
    }
    // Where memory is refused, another slot may have some.
    if (slot.isEmptyPlain() && !SlabRegistry.isRefusedNow()) {
      StackReserve.ensure();
      if (slot.tryClaimVolatile()) {
        addMemory(slot);
        return true;
      }
    }
    return slot.tryRecover();
  }

  private static void addMemory(Slab slot) {
    try {
      slot.allocate(Pool.SLAB_BYTES, Slab.AVAILABLE_TO_ALL);
    } catch (Throwable e) {
      slot.unclaim();
      throw e;
    }
  }

  /** All slots, in their order, for tests. */
  static List<Slab> all() {
    return List.of(SLOTS);
  }

  /** Those at which searches begin, for tests. */
  static List<Slab> first() {
    return all().subList(0, FIRST_COUNT);
  }

  /** The size of the first part for a number of cores: a power of two. */
  static int firstCount(int cores) {
    int wanted = Math.min(cores * SLOTS_PER_CORE, SLOT_COUNT);
    return Integer.highestOneBit(Math.max(wanted - 1, 1)) << 1;
  }

  private static Slab[] slots() {
    Slab[] slots = new Slab[SLOT_COUNT];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Slab();
    }
    return slots;
  }
}
