package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An arena over calloc and free, as in programs for which the JDK's is too slow: a confined arena
 * for the lifetime, a downcall for each block, and a clean-up that calls free.
 *
 * <p>Its blocks have the alignment of calloc, 16 bytes.
 */
final class CallocArena implements Arena {
  private static final int MOST_ALIGNMENT_BYTES = 16;

  private final Arena lifetime = Arena.ofConfined();

  @Override
  public MemorySegment allocate(long sizeBytes, long alignmentBytes) {
    if (alignmentBytes > MOST_ALIGNMENT_BYTES) {
      throw new IllegalArgumentException(
          "calloc cannot align that: alignmentBytes=%d (expected at most %d)"
              .formatted(alignmentBytes, MOST_ALIGNMENT_BYTES));
    }
    return LibC.calloc(sizeBytes, lifetime);
  }

  @Override
  public MemorySegment.Scope scope() {
    return lifetime.scope();
  }

  @Override
  public void close() {
    lifetime.close();
  }
}
