package com.example;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Takes buffers of Netty and forgets to release them. */
public final class NettyProgram {
  private NettyProgram() {}

  /** Drops some. */
  public static void lose(ByteBufAllocator allocator, int count) {
    for (int i = 0; i < count; i++) {
      var _ = allocator.directBuffer(100, 100).writeInt(7);
    }
  }

  /** One. */
  public static ByteBuf take(ByteBufAllocator allocator, int sizeBytes) {
    return allocator.directBuffer(sizeBytes, sizeBytes);
  }
}
