package dev.arenal.conformance;

import java.lang.foreign.Arena;

/** The reference: what the JDK itself does. */
final class JdkSharedArenaTest extends NativeConformance {
  @Override
  protected Arena open() {
    return Arena.ofShared();
  }

  @Override
  protected boolean isConfined() {
    return false;
  }
}
