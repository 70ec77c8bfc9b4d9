package dev.arenal.bench.confined;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Uses memory, so that it is needed: the first byte is written, the last one read, which therefore
 * has to be zeroed.
 *
 * <p>The write is opaque. The compiler would see that a pool zeroes the same byte when the arena is
 * closed, drop the write, and measure a program that does not use its memory.
 */
final class Touch {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  private Touch() {}

  /** Touches all of a segment that is not empty. */
  static int both(MemorySegment segment) {
    BYTE.setOpaque(segment, 0L, (byte) 1);
    return segment.get(ValueLayout.JAVA_BYTE, segment.byteSize() - 1);
  }

  /** Touches a segment, which may be empty. */
  static int both(MemorySegment segment, long sizeBytes) {
    return sizeBytes == 0 ? 0 : both(segment);
  }
}
