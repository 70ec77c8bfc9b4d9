package dev.arenal.lab.buffers;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.Version;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Netty's allocators, with direct buffers and in threads like those of its event loops, which get
 * caches of their own.
 */
final class NettyPeer implements BufferPeer {
  private final ByteBufAllocator allocator;

  NettyPeer(PeerKind kind) {
    this.allocator =
        kind == PeerKind.NETTY_POOLED
            ? new PooledByteBufAllocator(true)
            : new AdaptiveByteBufAllocator(true, true);
  }

  @Override
  public long allocate(Slots slots, int index, int sizeBytes) {
    ByteBuf buffer = allocator.directBuffer(sizeBytes, sizeBytes);
    slots.setHandle(index, buffer);
    return buffer.hasMemoryAddress() ? buffer.memoryAddress() : addressOf(buffer, sizeBytes);
  }

  /** Without Unsafe some buffers do not tell. */
  private static long addressOf(ByteBuf buffer, int sizeBytes) {
    return MemorySegment.ofBuffer(buffer.internalNioBuffer(0, sizeBytes)).address();
  }

  @Override
  public void free(Slots slots, int index) {
    boolean _ = ((ByteBuf) Objects.requireNonNull(slots.handle(index))).release();
  }

  @Override
  public boolean hasHandles() {
    return true;
  }

  @Override
  public Thread thread(Runnable task, String name) {
    return new FastThreadLocalThread(task, name);
  }

  @Override
  public void trimThread() {
    if (allocator instanceof PooledByteBufAllocator pooled) {
      boolean _ = pooled.trimCurrentThreadCache();
    }
  }

  /** The pooled one has a call for the caches of threads, and no other. */
  @Override
  public boolean trim() {
    return allocator instanceof PooledByteBufAllocator;
  }

  @Override
  public String library() {
    Version version = Version.identify().get("netty-buffer");
    return version == null ? "netty" : "netty " + version.artifactVersion();
  }
}
