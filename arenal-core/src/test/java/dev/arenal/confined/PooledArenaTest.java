package dev.arenal.confined;

import dev.arenal.conformance.NativeConformance;
import java.lang.foreign.Arena;

/** A pooled arena must do what the JDK's confined arena does. */
final class PooledArenaTest extends NativeConformance {
  @Override
  protected Arena open() {
    return PooledArena.ofConfined();
  }

  @Override
  protected boolean isConfined() {
    return true;
  }
}
