package dev.arenal.confined;

import dev.arenal.conformance.NativeConformance;
import java.lang.foreign.Arena;

/** So must the one for development. */
final class CheckedArenaTest extends NativeConformance {
  @Override
  protected Arena open() {
    return CheckedArena.open();
  }

  /** The JDK zeroes as much memory as the alignment, byte by byte. */
  @Override
  protected long mostAlignmentBytes() {
    return 4 << 20;
  }

  @Override
  protected boolean isConfined() {
    return true;
  }
}
