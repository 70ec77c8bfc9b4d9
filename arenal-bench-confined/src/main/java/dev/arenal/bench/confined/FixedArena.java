package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The control: always the same memory, for nothing. What is left is the work of the benchmark. */
final class FixedArena implements Arena {
  private static final long SIZE_BYTES = 16 * 1024;
  private static final MemorySegment MEMORY = Arena.global().allocate(SIZE_BYTES, 64);

  @Override
  public MemorySegment allocate(long sizeBytes, long alignmentBytes) {
    return MEMORY;
  }

  @Override
  public MemorySegment.Scope scope() {
    return MEMORY.scope();
  }

  @Override
  public void close() {}
}
