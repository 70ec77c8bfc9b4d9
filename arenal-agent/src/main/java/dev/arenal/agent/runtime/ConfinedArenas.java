package dev.arenal.agent.runtime;

import dev.arenal.agent.histogram.CountedArena;
import dev.arenal.confined.PooledArena;
import java.lang.foreign.Arena;

/**
 * The methods that rewritten call sites call instead of {@link Arena#ofConfined()}.
 *
 * <p>Nothing is decided here: which of the methods a site calls is decided when it is rewritten, so
 * that each is small enough to disappear into its caller.
 */
public final class ConfinedArenas {
  private ConfinedArenas() {}

  /** A pooled arena. */
  public static Arena pooled() {
    return PooledArena.ofConfined();
  }

  /** A pooled arena that is counted when it is closed. */
  public static Arena pooledCounted() {
    return CountedArena.of(PooledArena.ofConfined());
  }

  /** An arena of the JDK that is counted when it is closed. */
  public static Arena jdkCounted() {
    return CountedArena.of(Arena.ofConfined());
  }
}
