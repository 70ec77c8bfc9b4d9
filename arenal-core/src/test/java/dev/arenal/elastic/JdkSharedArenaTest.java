package dev.arenal.elastic;

import java.lang.foreign.Arena;

/** The reference: what the JDK itself does. */
final class JdkSharedArenaTest extends NativeConformance {
  @Override
  Arena open() {
    return Arena.ofShared();
  }

  @Override
  boolean isConfined() {
    return false;
  }
}
