package dev.arenal.agent.runtime;

import dev.arenal.confined.PooledArena;
import java.lang.foreign.Arena;

/** What rewritten call sites call instead of {@link Arena#ofConfined()}. */
public final class ConfinedArenas {
  private ConfinedArenas() {}

  /** A pooled arena. */
  public static Arena pooled() {
    return PooledArena.ofConfined();
  }
}
