package dev.arenal.confined;

import dev.arenal.conformance.NativeConformance;
import java.lang.foreign.Arena;

/** So must the one for development. */
final class CheckedArenaTest extends NativeConformance {
  @Override
  protected Arena open() {
    return CheckedArena.open();
  }

  @Override
  protected boolean isConfined() {
    return true;
  }
}
