package dev.arenal.page;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A piece of native memory that any thread may use and any thread may free. */
public final class PageBuffer implements AutoCloseable {
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  PageBuffer(long sizeBytes) {
    segment = arena.allocate(sizeBytes, 16);
  }

  /** The memory. */
  public MemorySegment segment() {
    return segment;
  }

  /** Its size in bytes. */
  public long sizeBytes() {
    return segment.byteSize();
  }

  /** Frees the memory. */
  @Override
  public void close() {
    arena.close();
  }
}
