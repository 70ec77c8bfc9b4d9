package dev.arenal.netty;

import java.lang.foreign.MemorySegment;

/** All memory, as one segment. In copies {@link LinkedPages} stands for this class. */
final class Everything {
  private Everything() {}

  @SuppressWarnings("restricted") // buffers hand out addresses; checks are those of ByteBuf
  static MemorySegment segment() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }
}
