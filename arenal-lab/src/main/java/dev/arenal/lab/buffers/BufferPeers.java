package dev.arenal.lab.buffers;

/** Opens the allocator of a kind. */
final class BufferPeers {
  private BufferPeers() {}

  static BufferPeer open(PeerKind kind, PeerSettings settings) {
    return switch (kind) {
      case ARENAL, ARENAL_SHORT, ARENAL_ZEROED -> new PagePeer(kind, settings);
      case NETTY_ADAPTIVE, NETTY_POOLED -> new NettyPeer(kind);
      case MALLOC, MALLOC_TRIM, JEMALLOC, JEMALLOC_DECAY, MIMALLOC ->
          new HeapPeer(kind, settings.shortDelay());
      case NONE -> new RingPeer(settings);
    };
  }
}
