package dev.arenal.lab.buffers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An allocator of buffers as the harness sees it.
 *
 * <p>A process measures one kind only, so each call has one target and is inlined.
 */
interface BufferPeer extends AutoCloseable {
  /** Opens the allocator of a kind. */
  static BufferPeer open(PeerKind kind, PeerSettings settings) {
    return switch (kind) {
      case ARENAL, ARENAL_SHORT, ARENAL_ZEROED -> new PagePeer(kind, settings);
      case NETTY_ADAPTIVE, NETTY_POOLED -> new NettyPeer(kind);
      case MALLOC, MALLOC_TRIM, JEMALLOC, JEMALLOC_DECAY, MIMALLOC ->
          new HeapPeer(kind, settings.shortDelay());
      case NONE -> new RingPeer(settings);
    };
  }

  /**
   * Takes a buffer.
   *
   * @param slots where what frees it again is put, under that index
   * @return its address
   */
  long allocate(Slots slots, int index, int sizeBytes);

  /** Gives back the buffer with that index. */
  void free(Slots slots, int index);

  /** Whether an object stands for each buffer, to be kept in the slots. */
  default boolean hasHandles() {
    return false;
  }

  /** A thread of the kind that this allocator serves best. */
  default Thread thread(Runnable task, String name) {
    return new Thread(task, name);
  }

  /** How long it keeps free memory before it gives it back by itself; null if nothing says so. */
  default @Nullable Duration delay() {
    return null;
  }

  /** Gives back what this thread keeps for itself, where there is a call for it. */
  default void trimThread() {}

  /**
   * Gives back all that is free, where there is a call for it.
   *
   * @return whether there is
   */
  boolean trim();

  /** Name and version in its own words. */
  String library();

  /**
   * Gives up all memory; no buffer is in use any more. Nothing where the memory lives as long as
   * the process, or goes when the collector finds the allocator.
   */
  @Override
  default void close() {}
}
