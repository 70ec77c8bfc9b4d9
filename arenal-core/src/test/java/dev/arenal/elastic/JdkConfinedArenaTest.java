package dev.arenal.elastic;

import java.lang.foreign.Arena;

/** The reference: what the JDK itself does. */
final class JdkConfinedArenaTest extends NativeConformance {
  @Override
  Arena open() {
    return Arena.ofConfined();
  }

  @Override
  boolean isConfined() {
    return true;
  }
}
