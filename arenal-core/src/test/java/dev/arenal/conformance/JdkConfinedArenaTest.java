package dev.arenal.conformance;

import java.lang.foreign.Arena;

/** The reference: what the JDK itself does. */
final class JdkConfinedArenaTest extends NativeConformance {
  @Override
  protected Arena open() {
    return Arena.ofConfined();
  }

  @Override
  protected boolean isConfined() {
    return true;
  }
}
