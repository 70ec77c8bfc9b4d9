package dev.arenal.page;

import org.jspecify.annotations.Nullable;

/**
 * The buffers of one {@link PageArena}, which go back together.
 *
 * <p>Those of a confined arena are known to its allocator, apart from their arena, which may be
 * lost: no thread can close such an arena once its own has ended, so the close of the allocator
 * closes these buffers.
 */
final class ArenaBuffers {
  /** The only thread that uses the arena; null if all may. */
  final @Nullable Thread owner;

  /**
   * Linked by {@link PageBuffer#nextPending}: nothing has to grow where the Java heap is full.
   * Guarded by the owner of a confined arena, or, once that has ended, by the close of the
   * allocator; in a shared one, those that the close has taken, guarded by the thread that closes.
   */
  @Nullable PageBuffer first;

  /** Links of the list of {@link ConfinedArenas}, while {@link #isListed}. */
  @Nullable ArenaBuffers next;

  @Nullable ArenaBuffers previous;
  boolean isListed;

  ArenaBuffers(@Nullable Thread owner) {
    this.owner = owner;
  }

  /** Whether they are of a confined arena whose thread has ended: all it did happened before. */
  boolean hasEnded() {
    return owner != null && !owner.isAlive();
  }

  /** By which the list is found. */
  long number() {
    return owner == null ? 0 : owner.threadId();
  }

  /** The sum of their requested sizes. */
  long sizeBytes() {
    long sizeBytes = 0;
    for (PageBuffer buffer = first; buffer != null; buffer = buffer.nextPending) {
      sizeBytes += buffer.sizeBytes;
    }
    return sizeBytes;
  }

  /** Closes all of them; those that are left if this ends by an error may be closed again. */
  void close() {
    PageBuffer buffer = first;
    while (buffer != null) {
      PageBuffer next = buffer.nextPending;
      buffer.nextPending = null; // from its close on it is a link of its heap
      try {
        buffer.closeEnsured();
      } catch (Throwable e) {
        if (!buffer.isClosed) {
          buffer.nextPending = next;
          throw e;
        }
      }
      buffer = next;
      first = next;
    }
  }
}
