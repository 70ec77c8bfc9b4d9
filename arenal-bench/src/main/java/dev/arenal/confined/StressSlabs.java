package dev.arenal.confined;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Slabs for the states of stress tests, used again by later states: a slab of its own for each
 * would be closed by a handshake with all threads.
 */
final class StressSlabs {
  private static final ConcurrentLinkedQueue<Slab> UNUSED = new ConcurrentLinkedQueue<>();

  private StressSlabs() {}

  /** A slab that is zero, with this state. */
  static Slab take(long state) {
    Slab slab = UNUSED.poll();
    if (slab == null) {
      slab = new Slab();
      slab.allocate(64, 1);
    }
    put(slab, 0);
    slab.abandonedTop = 0;
    slab.key = state;
    slab.set(state);
    return slab;
  }

  /** From the thread that has seen all of it. */
  static void giveBack(Slab slab) {
    UNUSED.add(slab);
  }

  /** The first word of its memory. */
  static long get(Slab slab) {
    return word(slab).get(ValueLayout.JAVA_LONG, 0);
  }

  static void put(Slab slab, long word) {
    word(slab).set(ValueLayout.JAVA_LONG, 0, word);
  }

  private static MemorySegment word(Slab slab) {
    return NativeMemory.segment(slab.address, Long.BYTES);
  }
}
